"""A signed manifest proves whose list it is: OpenSSH signs and checks (issue 5.5)."""

import shutil
import subprocess

import folders
import pytest

pytestmark = pytest.mark.skipif(shutil.which("ssh-keygen") is None, reason="OpenSSH is not on this machine")


@pytest.fixture
def signed(month) -> folders.Folder:
    """A published and signed November, the key, and the file of allowed signers."""
    folder, tmp_path = month, month.path
    for name in ("key", "other"):
        subprocess.run(["ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-f", tmp_path / name], check=True)
        public = (tmp_path / f"{name}.pub").read_text("utf-8")
        folder.write(f"{name}.signers", f"{name}@example.org {public}")
    assert folder.run("2025-11", "--sign-with", tmp_path / "key").code == 0
    return folder


def verify(folder: folders.Folder, signers: str) -> folders.Done:
    run = folder.path / "lists" / "2025-11-standard"
    return folders.command("verify", run, "--signers", folder.path / signers)


def test_signed_by_an_allowed_signer(signed):
    done = verify(signed, "key.signers")
    assert done.code == 0 and "2025-11-standard: signed by key@example.org" in done.out


def test_signed_by_somebody_else(signed):
    done = verify(signed, "other.signers")
    assert done.code == 4 and "signed by nobody in other.signers" in done.out


def test_a_changed_manifest_does_not_match_its_signature(signed):
    path = signed.path / "lists" / "2025-11-standard" / "manifest.json"
    path.write_text(path.read_text("utf-8").replace('"created"', '"Created"'), "utf-8")
    done = verify(signed, "key.signers")
    assert done.code == 4 and "the signature does not match" in done.out


def test_an_unsigned_folder_is_not_proved(signed):
    (signed.path / "lists" / "2025-11-standard" / "manifest.json.sig").unlink()
    done = verify(signed, "key.signers")
    assert done.code == 4 and "not signed" in done.out


def test_a_key_that_is_none_publishes_nothing(signed):
    assert folders.command("withdraw", "2025-11", "--reason", "test", "-C", signed.path).code == 0
    done = signed.run("2025-11", "--sign-with", signed.path / "source.csv")
    assert done.code == 1 and "does not sign" in done.err and "Traceback" not in done.err
    assert signed.lists() == ["2025-11-standard"]
