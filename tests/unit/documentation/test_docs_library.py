"""The worked example of the library runs as it stands and prints what it says."""

import re
import subprocess
import sys


def test_the_example_prints_what_it_says(project):
    text = (project / "docs" / "internals" / "domain-library.md").read_text()
    program = "\n".join(re.findall(r"```python\n(.*?)```", text, re.DOTALL))
    promised = "".join(re.findall(r"```text\n(.*?)```", text, re.DOTALL))

    ran = subprocess.run(
        [sys.executable, "-W", "error", "-c", program], capture_output=True, text=True, check=False
    )

    assert ran.stderr == ""
    assert ran.stdout == promised
