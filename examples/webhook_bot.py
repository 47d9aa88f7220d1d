"""The webhook bot of docs/bots.md: TOKEN=... PORT=8000 python3 webhook_bot.py"""

import hmac
import json
import os
from http.server import BaseHTTPRequestHandler, HTTPServer


class Webhook(BaseHTTPRequestHandler):
    def do_POST(self):
        body = self.rfile.read(int(self.headers.get("Content-Length", 0)))
        try:
            asked = json.loads(body)
            is_server = hmac.compare_digest(asked["token"].encode(), os.environ["TOKEN"].encode())
        except (ValueError, KeyError, TypeError, AttributeError):
            is_server = False
        self.send_response(200 if is_server else 403)
        self.end_headers()
        if is_server:
            content = f"{asked['message']['sender_full_name']} said: {asked['data']}"
            self.wfile.write(json.dumps({"content": content}).encode())


HTTPServer(("127.0.0.1", int(os.environ["PORT"])), Webhook).serve_forever()
