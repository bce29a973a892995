"""Stands in for what the gateway reaches on the web: a model behind OpenAI's
protocol, a SearXNG instance, and the pages that it finds. Prints its port."""

import json
import sys
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

PAGE = """<!doctype html><html lang="en"><head><title>Notes of a roaster</title></head><body><article>
<h1>Notes of a roaster</h1><p>I roast coffee twice a week, and I always weigh the beans before and after.</p>
<p>My customers ask for darker roasts, but I prefer a light one, because it keeps the fruit. The harbour stall sells
40 bags on a Saturday.</p></article></body></html>"""


class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def log_message(self, *_):
        pass

    def send(self, kind, text, status=200):
        raw = text.encode()
        self.send_response(status)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(raw)))
        self.end_headers()
        self.wfile.write(raw)

    def do_GET(self):
        path = self.path.split("?")[0]
        if path.startswith("/page"):
            self.send("text/html; charset=utf-8", PAGE)
        else:
            self.send("text/plain", "nothing here", 404)

    def do_POST(self):
        raw = self.rfile.read(int(self.headers.get("Content-Length") or 0))
        if self.path == "/search":
            base = f"http://{self.headers['Host']}"
            found = [{"url": f"{base}/page/{n}", "title": f"Page {n}", "content": "About coffee"} for n in range(2)]
            self.send("application/json", json.dumps({"results": found}))
            return
        asked = json.loads(raw or b"{}")
        # What is asked as JSON is what a verification tries.
        text = '{"word":"yes","number":7}' if asked.get("response_format") else "I drink coffee."
        head = {"id": "1", "created": 1, "model": "small"}
        if asked.get("stream"):
            parts = [
                {**head, "object": "chat.completion.chunk", "choices": [{"index": 0, "delta": d, "finish_reason": f}]}
                for d, f in (({"role": "assistant", "content": text}, None), ({}, "stop"))
            ]
            self.send("text/event-stream", "".join(f"data: {json.dumps(p)}\n\n" for p in parts) + "data: [DONE]\n\n")
            return
        choice = {"index": 0, "message": {"role": "assistant", "content": text}, "finish_reason": "stop"}
        usage = {"prompt_tokens": 10, "completion_tokens": 4, "total_tokens": 14}
        self.send("application/json", json.dumps({**head, "object": "chat.completion", "choices": [choice], "usage": usage}))


server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
print(server.server_address[1], flush=True)
try:
    server.serve_forever()
except KeyboardInterrupt:
    sys.exit(0)
