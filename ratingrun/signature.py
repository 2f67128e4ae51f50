"""An optional signature of a run folder's manifest, so that a published list can be proved to be the federation's.

The cryptography is OpenSSH's: `ssh-keygen -Y sign` and `-Y verify`, the installed tool and the keys that it knows.
The manifest holds the hash of every other file, so its signature covers the whole folder.
"""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

from ratingrun import run_folder

TOOL, NAMESPACE = "ssh-keygen", "ratingrun"
FILE = f"{run_folder.MANIFEST}.sig"


class SignatureError(Exception):
    """A manifest could not be signed: no tool, no key, or the key was refused. The message says which."""

    exit_code = 1


def sign(folder: Path, key: Path) -> None:
    """Writes manifest.json.sig beside the manifest of `folder`, with a private key in OpenSSH's form."""
    done = _call("-Y", "sign", "-q", "-f", str(key), "-n", NAMESPACE, str(folder / run_folder.MANIFEST))
    if done.returncode or not (folder / FILE).is_file():
        raise SignatureError(f"{key} does not sign: {done.stderr.decode(errors='replace').strip()}")


def check(folder: Path, signers: Path) -> tuple[bool, str]:
    """Whether the manifest is signed by one of the allowed signers (OpenSSH's ALLOWED SIGNERS file), and who or why."""
    if not (folder / FILE).is_file():
        return False, "not signed"
    found = _call("-Y", "find-principals", "-s", str(folder / FILE), "-f", str(signers))
    names = found.stdout.decode(errors="replace").split()
    if found.returncode or not names:
        return False, f"signed by nobody in {signers.name}"
    text = (folder / run_folder.MANIFEST).read_bytes()
    words = ("-Y", "verify", "-f", str(signers), "-I", names[0], "-n", NAMESPACE, "-s", str(folder / FILE))
    done = _call(*words, text=text)
    return (True, f"signed by {names[0]}") if done.returncode == 0 else (False, "the signature does not match")


def _call(*words: str, text: bytes = b"") -> subprocess.CompletedProcess[bytes]:
    tool = shutil.which(TOOL)
    if tool is None:
        raise SignatureError(f"{TOOL} is not installed; it comes with OpenSSH")
    return subprocess.run([tool, *words], input=text, capture_output=True, check=False)
