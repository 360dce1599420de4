"""Pages of accounts: signing in, members, invitations, mails."""
