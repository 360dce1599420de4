"""The client of a host in a process of its own."""

import json
import os

from footfall.client import BackgroundFootfall


def options_of_environment():
    return json.loads(os.environ["FOOTFALL_OPTIONS"])


def client_of_environment():
    return BackgroundFootfall(**options_of_environment())
