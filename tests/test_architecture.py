"""The house of DESIGN 2, 3 and 10, read from the syntax trees of whatever modules there are."""

import ast
import functools
import re
import subprocess
import sys
from pathlib import Path

import pytest

import ratingrun
from ratingrun import rulebooks
from ratingrun.rulebooks import compare, shapes

PACKAGE = Path(ratingrun.__file__).parent
MODULES = {
    ".".join(path.relative_to(PACKAGE.parent).with_suffix("").parts).removesuffix(".__init__"): path
    for path in sorted(PACKAGE.rglob("*.py"))
}

# Imports go one way: a module may use its own row and the rows above it. What is in no row makes something of a month
# (publish, summary, audit ...) and stands between the pipeline and the command line.
LAYERS = [
    {"coded", "contract", "frames", "findings", "formulas", "rulebooks", "periods", "time_control", "texts"}
    | {"parquet_files"},
    {"formats"},
    {"stages", "invariants"},
    {"pipeline"},
    {"(after the pipeline)"},
    {"cli"},
    {"__main__"},
]
MAX_LINES = 320
# declarations only, a line a column or a code: DESIGN 2.4 wants them in one place
LONGER = {"ratingrun.frames", "ratingrun.findings"}

# Numbers that code may hold; the numbers of the regulations stand in the rule books.
NUMBERS = {
    0: "none",
    1: "one, the next, the first",
    2: "a half, both sides",
    50: "half a point in hundredths",
    100: "a point in hundredths",
}
NUMBERS_IN_PLACE = {
    # seconds in a minute (60 moves are the book's time_control.moves)
    (60, "clocks.py"): None,
    (60, "time_control.py"): (ast.Mult, ast.FloorDiv),
    # a table may be so many times as long as what is looked up in it
    (4, "codes.py"): None,
    # games that are no coincidence: a warning's threshold, not a rule
    (3, "rated.py"): None,
    # above every round number: a part without rounds_to
    (9999, "reports.py"): None,
}


@functools.cache
def tree(name):
    return ast.parse(MODULES[name].read_text("utf-8"))


def layer(name):
    top = name.split(".")[1] if "." in name else ""
    found = [number for number, names in enumerate(LAYERS) if top in names]
    return found[0] if found else LAYERS.index({"(after the pipeline)"})


def imported(name, at_top=False):
    """The modules of ratingrun that a module imports, anywhere or at its top level."""
    nodes = tree(name).body if at_top else ast.walk(tree(name))
    found = set()
    for node in nodes:
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{name}: write imports in full"
            found |= {f"{node.module}.{alias.name}" for alias in node.names} | {node.module}
    return {module for module in found if module in MODULES and module not in ("ratingrun", name)}


@pytest.mark.parametrize("name", MODULES)
def test_imports_go_one_way(name):
    if name == "ratingrun":
        assert not imported(name, at_top=True)  # its public names load on use
        return
    above = {other for other in imported(name) if layer(other) > layer(name)}
    assert not above, f"{name} uses what is built on it"


def test_no_module_needs_itself():
    done, path = set(), []

    def visit(name):
        assert name not in path, " -> ".join([*path, name])
        if name in done:
            return
        path.append(name)
        for other in imported(name, at_top=True):
            if not other.startswith(f"{name}.") and not name.startswith(f"{other}."):  # a package and its own modules
                visit(other)
        done.add(path.pop())

    for name in MODULES:
        visit(name)


@pytest.mark.parametrize("name", MODULES)
def test_modules_stay_short(name):
    lines = len(MODULES[name].read_text("utf-8").splitlines())
    assert lines <= MAX_LINES or name in LONGER, f"{name} has {lines} lines: split it"


@pytest.mark.parametrize("name", MODULES)
def test_every_module_says_what_it_is(name):
    assert ast.get_docstring(tree(name)), f"{name} has no docstring"
    assert not re.search(r"utils|helper|manager", name)


# --- the numbers of the regulations stand in the rule books ----------------------------------------------------------

ARITHMETIC = [
    name
    for name in MODULES
    if name.startswith("ratingrun.stages")
    or name in ("ratingrun.formulas", "ratingrun.pipeline", "ratingrun.time_control")
]


@pytest.mark.parametrize("name", ARITHMETIC)
def test_no_number_of_the_regulations_in_code(name):
    file = MODULES[name].name
    operators, places = {}, set()  # of the numbers: what they are joined by; the third group of a match is a place
    for node in ast.walk(tree(name)):
        if isinstance(node, ast.BinOp):
            operators[id(node.left)] = operators[id(node.right)] = type(node.op)
        elif isinstance(node, ast.Subscript):
            places.add(id(node.slice))
    for node in ast.walk(tree(name)):
        if not isinstance(node, ast.Constant) or type(node.value) not in (int, float):
            continue
        if node.value in NUMBERS or id(node) in places:
            continue
        where = f"{file}:{node.lineno}: {node.value}"
        assert (node.value, file) in NUMBERS_IN_PLACE, (
            f"{where} belongs in the rule book, or in NUMBERS with its reason"
        )
        wanted = NUMBERS_IN_PLACE[node.value, file]
        assert wanted is None or operators.get(id(node)) in wanted, f"{where} is not used as its reason says"


def keys():
    """Each key of every rule book and one-off that comes with ratingrun; the names in K rows, bands and limits."""
    found = set()
    for system in rulebooks.systems(rulebooks.HERE):
        for book in rulebooks.books(system):
            found |= {key for key in compare.values(book) if not key.startswith("k.")}
            found |= {f"k.{name}" for row in book.k for name in ("name", "k", *row.conditions)}
            lists = (getattr(book.time_control, name, ()) for name in ("bands", "limits"))
            found |= {f"time_control.{name}" for rows in lists for row in rows for name in row.__struct_fields__}
    for one in rulebooks.one_offs():
        found |= {key for key, _ in one.stated()} | {"one_off.list", "one_off.systems"}
    return sorted(found)


@functools.cache
def mentioned():
    """Attributes read and texts written anywhere in the package."""
    attributes, texts = set(), set()
    for name in MODULES:
        for node in ast.walk(tree(name)):
            if isinstance(node, ast.Attribute):
                attributes.add(node.attr)
            elif isinstance(node, ast.Constant) and isinstance(node.value, str):
                texts.add(node.value)
    return attributes, texts


@pytest.mark.parametrize("key", keys())
def test_every_key_of_the_rule_book_is_used(key):
    """By reading the attribute; conditions of K rows by name; a kind by the class of that tag; a word of which there
    is only one, by the loader's refusal of any other."""
    attributes, texts = mentioned()
    only_one_word = len(rulebooks.WORDS.get(key, ())) == 1
    name = key.split(".")[-1]
    if name == "kind":
        name = "value"  # the tag of the shape; that each kind is asked for is test_every_kind_is_asked_for
    used = name in attributes or f"{name}_" in attributes or (key.startswith("k.") and name in texts)
    assert used or only_one_word, f"{key}: no code reads it"


def kinds():
    """The classes of the kinds that are not the plain case of their section."""
    plain = {"none", "unchecked", "table", "added_draws", "towards"}
    classes = [one for one in vars(shapes).values() if isinstance(one, type) and issubclass(one, shapes.Shape)]
    return [one.__name__ for one in classes if one.__struct_config__.tag not in plain | {one.__name__}]


@pytest.mark.parametrize("kind", kinds())
def test_every_kind_is_asked_for_by_a_stage(kind):
    asked = {
        node.args[1].id
        for name in ARITHMETIC
        for node in ast.walk(tree(name))
        if isinstance(node, ast.Call) and getattr(node.func, "id", "") == "isinstance" and hasattr(node.args[1], "id")
    }
    assert kind in asked


# --- a stage is a pure function --------------------------------------------------------------------------------------

PURE = [name for name in ARITHMETIC if name != "ratingrun.time_control"] + ["ratingrun.invariants"]
IMPURE = {
    *("open", "print", "input"),
    *("read_text", "write_text", "read_bytes", "write_bytes", "read_csv", "to_csv", "read_parquet", "to_parquet"),
    *("now", "today", "utcnow", "time", "getenv", "environ", "random", "default_rng", "mkdir", "unlink"),
}


@pytest.mark.parametrize("name", [name for name in PURE if name in MODULES])
def test_stages_neither_read_nor_write_nor_ask_the_clock(name):
    for node in ast.walk(tree(name)):
        if isinstance(node, ast.Call):
            called = getattr(node.func, "attr", getattr(node.func, "id", ""))
            assert called not in IMPURE, f"{name}:{node.lineno}: {called}()"
        if isinstance(node, (ast.Global, ast.Nonlocal)):
            raise AssertionError(f"{name}:{node.lineno}: a global")


@pytest.mark.parametrize("name", [name for name in PURE if name in MODULES])
def test_no_loop_over_rows(name):
    """Columns at once: no iterrows, no apply. A loop over the few distinct dates, books or words is fine."""
    for node in ast.walk(tree(name)):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
            assert node.func.attr not in ("iterrows", "apply", "applymap", "transform_rows"), f"{name}:{node.lineno}"
            if node.func.attr == "itertuples":
                inner = {
                    n.func.attr
                    for n in ast.walk(node.func.value)
                    if isinstance(n, ast.Call) and hasattr(n.func, "attr")
                }
                assert inner & {"drop_duplicates", "unique"}, f"{name}:{node.lineno}: a loop over rows"


def test_no_blanket_except():
    """Bad input is a value, a bug raises; only the command line may catch everything, to say where to report it, and
    who clears up and raises again."""
    for name in MODULES:
        for node in ast.walk(tree(name)):
            if isinstance(node, ast.ExceptHandler) and not name.startswith("ratingrun.cli"):
                if isinstance(node.body[-1], ast.Raise) and node.body[-1].exc is None:
                    continue
                caught = ast.unparse(node.type) if node.type else "everything"
                assert caught not in ("everything", "Exception", "BaseException"), f"{name}:{node.lineno}"


# --- the command line is quick ---------------------------------------------------------------------------------------


def loaded_by(*arguments):
    """Names of all modules that Python loads for a command."""
    command = [sys.executable, "-X", "importtime", *arguments]
    run = subprocess.run(command, capture_output=True, text=True, timeout=60, check=False)
    assert run.returncode == 0, run.stderr[-500:]
    return {line.rsplit("|", 1)[1].strip() for line in run.stderr.splitlines() if line.startswith("import time:")}


def commands():
    folder = PACKAGE / "cli"
    return [
        path.stem for path in folder.glob("*.py") if "command(" in path.read_text("utf-8") and path.stem != "__init__"
    ]


@pytest.mark.parametrize(
    "arguments", [["--help"], ["--version"], *([name, "--help"] for name in commands())], ids=" ".join
)
def test_help_does_not_load_the_heavy_libraries(arguments):
    heavy = {"pandas", "pyarrow", "numpy", "msgspec", "filelock"} & loaded_by("-m", "ratingrun", *arguments)
    assert not heavy


def test_importing_ratingrun_imports_nothing_else_of_it():
    loaded = loaded_by("-c", "import ratingrun")
    assert not {name for name in loaded if name.startswith("ratingrun.")}
