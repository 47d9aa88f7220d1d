"""The bot of docs/bots.md, with the package requests: python3 helper_bot.py zuliprc"""

import configparser
import json
import sys
import time

import requests

config = configparser.ConfigParser(interpolation=None)
config.read(sys.argv[1] if len(sys.argv) > 1 else "zuliprc")
api = config["api"]
session = requests.Session()
session.auth = (api["email"], api["key"])


class Refused(Exception):
    def __init__(self, answer):
        super().__init__(answer["msg"])
        self.code = answer.get("code")


def call(method, path, parameters={}, files=None):
    form = {name: value if isinstance(value, str) else json.dumps(value) for name, value in parameters.items()}
    sent = {"params": form} if method == "GET" else {"data": form, "files": files}
    while True:
        try:
            response = session.request(method, f"{api['site']}/api/v1/{path}", timeout=120, **sent)
        except requests.RequestException:
            time.sleep(1)
            continue
        if response.status_code == 429 or response.status_code >= 500:
            time.sleep(float(response.headers.get("Retry-After", 1)))
            continue
        answer = response.json()
        if answer["result"] == "success":
            return answer
        raise Refused(answer)


me = call("GET", "users/me")
queue = {}
replies = 0


def reply(message, content):
    global replies
    replies += 1
    if message["type"] == "private":
        place = {"type": "direct", "to": [person["id"] for person in message["display_recipient"]]}
    else:
        place = {"type": "channel", "to": message["stream_id"], "topic": message["subject"]}
    once = {"queue_id": queue["queue_id"], "local_id": f"{message['id']}.{replies}"}
    return call("POST", "messages", {**place, "content": content, **once})


def hello(message):
    reply(message, f"Hello, @**{message['sender_full_name']}|{message['sender_id']}**!")


def report(message):
    files = {"file": ("soups.csv", "day,soups\nMonday,12\n")}
    uploaded = call("POST", "user_uploads", files=files)
    reply(message, f"[{uploaded['filename']}]({uploaded['url']})")


def count(message):
    sent = reply(message, "I am counting.")
    call("PATCH", f"messages/{sent['id']}", {"content": "There are three."})


def thanks(message):
    call("POST", f"messages/{message['id']}/reactions", {"emoji_name": "heart"})


def next_number(message):
    number = int(call("GET", "bot_storage")["storage"].get("number", "0")) + 1
    call("PUT", "bot_storage", {"storage": {"number": str(number)}})
    reply(message, f"This is number {number}.")


commands = {"hello": hello, "report": report, "count": count, "thanks": thanks, "next": next_number}


def handle(message, flags):
    is_for_me = message["type"] == "private" or "mentioned" in flags
    if message["sender_id"] == me["user_id"] or not is_for_me:
        return
    word = message["content"].replace(f"@**{me['full_name']}**", "").strip()
    if word in commands:
        commands[word](message)


while True:
    queue = call("POST", "register", {"event_types": ["message"], "fetch_event_types": [], "apply_markdown": False})
    last = queue["last_event_id"]
    try:
        while True:
            for event in call("GET", "events", {"queue_id": queue["queue_id"], "last_event_id": last})["events"]:
                if event["type"] == "message":
                    try:
                        handle(event["message"], event["flags"])
                    except Refused as refusal:
                        print(refusal, file=sys.stderr)
                last = event["id"]
    except Refused as refusal:
        if refusal.code != "BAD_EVENT_QUEUE_ID":
            raise
