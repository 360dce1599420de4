"""Reports by mail to addresses outside of an organization: asked for, agreed to, ended, erased."""
