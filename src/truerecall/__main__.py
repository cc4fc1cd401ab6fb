"""``python -m truerecall`` is the command line."""

from __future__ import annotations

import sys

from truerecall.cli.main import main

sys.exit(main())
