import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, cpSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { compiledServer } from '../support/compiled-server';
import { docBlocks } from '../support/doc-blocks';

// Processes take their time where other tests run beside.
jest.setTimeout(240_000);

const hasPytest = spawnSync('python3', ['-m', 'pytest', '--version']).status === 0;
const hasPackage = hasPytest && spawnSync('python3', ['-c', 'import zulip']).status === 0;

if (!hasPytest) test.todo('the fixture in Python: python3 or its pytest is not installed here');

/** As much of the package `zulip` as the tests below use, for machines that do not have it. */
const STAND_IN = `
import base64, json, urllib.parse, urllib.request


class Client:
    def __init__(self, site, email, api_key):
        self.site = site
        self.key = base64.b64encode(f"{email}:{api_key}".encode()).decode()

    def _call(self, method, path, form=None):
        data = urllib.parse.urlencode(form).encode() if form else None
        request = urllib.request.Request(f"{self.site}/api/v1{path}", data=data, method=method)
        request.add_header("Authorization", f"Basic {self.key}")
        return json.loads(urllib.request.urlopen(request).read())

    def get_profile(self):
        return self._call("GET", "/users/me")

    def send_message(self, message):
        return self._call("POST", "/messages", message)

    def get_messages(self, request):
        return self._call("GET", "/messages?" + urllib.parse.urlencode(request))
`;

/** The second would see what the first sent, were it not for the reset. */
const TESTS = `
import pytest


def test_everybody_is_there(client):
    assert client("alice").get_profile()["full_name"] == "Alice Member"
    assert client("helper").get_profile()["is_bot"]


@pytest.mark.parametrize("round", [1, 2])
def test_begins_anew(client, round):
    message = {"type": "stream", "to": "lobby", "topic": "lunch", "content": f"round {round}"}
    assert client("alice").send_message(message)["result"] == "success"
    page = {"anchor": "newest", "num_before": 10, "num_after": 0, "apply_markdown": "false"}
    found = client("bob").get_messages(page)["messages"]
    assert [each["content"] for each in found if each["subject"] == "lunch"] == [f"round {round}"]
`;

(hasPytest ? describe : describe.skip)('the fixture for pytest in docs/test-server.md', () => {
  let folder: string;

  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'parley-python-'));
    // As npm installs it.
    const installed = join(folder, 'node_modules/parley');
    mkdirSync(installed, { recursive: true });
    mkdirSync(join(folder, 'node_modules/.bin'));
    cpSync(join(__dirname, '../../package.json'), join(installed, 'package.json'));
    symlinkSync(dirname(compiledServer()), join(installed, 'dist'));
    chmodSync(join(dirname(compiledServer()), 'cli/main.js'), 0o755);
    symlinkSync('../parley/dist/cli/main.js', join(folder, 'node_modules/.bin/parley'));
  });

  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  it('gives each test a server as it was at the start', async () => {
    const [fixture] = docBlocks('docs/test-server.md').filter(({ language }) => language === 'python');
    writeFileSync(join(folder, 'conftest.py'), fixture?.code ?? '');
    writeFileSync(join(folder, 'test_page.py'), TESTS);
    if (!hasPackage) writeFileSync(join(folder, 'zulip.py'), STAND_IN);
    const child = spawn('python3', ['-m', 'pytest', '-p', 'no:cacheprovider', '-q'], { cwd: folder });
    let output = '';
    child.stdout.on('data', (chunk) => (output += chunk));
    child.stderr.on('data', (chunk) => (output += chunk));
    await once(child, 'close');
    expect(output).toMatch(/^3 passed/m);
  });
});
