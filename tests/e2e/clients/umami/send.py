"""Sends with the published library of Umami for Python, and prints the answers."""

import json
import sys

import umami

base_url, website, key = sys.argv[1:]
umami.set_url_base(base_url)
umami.set_website_id(website)
umami.set_hostname("localhost")
answers = [
    umami.new_page_view("Home", "/home?utm_source=news", referrer="https://search.example/", distinct_id=7),
    umami.new_event("sign up", url="/home", custom_data={"plan": "pro", "cart": {"items": 2}}),
    umami.new_revenue_event(19.99, "EUR", event_name="order", url="/order"),
]
# The token of a login, which the library has no other way to be given.
umami.impl.auth_token = key
answers.append(umami.new_page_view("Server", "/server", ip_address="192.0.2.9"))
json.dump(answers, sys.stdout)
