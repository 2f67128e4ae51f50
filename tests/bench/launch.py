"""Runs a command and writes what it took: seconds on the clock, of the processors, peak memory in MB, exit code.

    python -S launch.py RESULT COMMAND...

A process of its own, small: at its start a child has the peak memory of the process that starts it, and the bench is
large.
"""

import json
import os
import subprocess
import sys
import time
from pathlib import Path

begin = time.perf_counter()
child = subprocess.Popen(sys.argv[2:])
_, status, used = os.wait4(child.pid, 0)
child.returncode = os.waitstatus_to_exitcode(status)
took = time.perf_counter() - begin, used.ru_utime + used.ru_stime, used.ru_maxrss / 1024, child.returncode
Path(sys.argv[1]).write_text(json.dumps(took), "utf-8")
