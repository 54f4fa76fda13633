// The conformance suite of the protocol's maintainers: the scenarios that a
// server without test tools of its own can be held to.
import assert from 'node:assert/strict';
import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import { environment, run, serveHTTP } from './lib.mjs';

const scenarios = ['server-initialize', 'ping', 'tools-list', 'server-sse-multiple-streams', 'resources-list', 'prompts-list', 'dns-rebinding-protection'];

export async function conformance({ binary, dir, report }) {
  const home = path.join(dir, 'home');
  await mkdir(home);
  const web = await serveHTTP({ binary, workspace: path.join(dir, 'workspace'), home });
  for (const scenario of scenarios) {
    await report.check(`conformance: ${scenario}`, async () => {
      const { code, stdout, stderr } = await run('conformance', ['server', '--url', `${web.url}/mcp`, '--scenario', scenario], { env: environment(home), cwd: dir });
      assert.equal(code, 0, stdout + stderr);
      const [, passed, all, failed] = /Passed: (\d+)\/(\d+), (\d+) failed/.exec(stdout) ?? [];
      assert.equal(failed, '0', stdout);
      assert.equal(passed, all, stdout);
    });
  }
  await report.check('conformance: what server-sse-multiple-streams asks, without a session', async () => {
    const ids = [1000, 1001, 1002];
    const answers = await Promise.all(ids.map((id) => stream(web.url, id)));
    assert.deepEqual(answers.map((a) => a.id), ids);
    for (const { result, events } of answers) {
      assert.ok(result.tools.length > 0);
      assert.equal(events, 1);
    }
  });
  await web.stop();
}

// The scenario ends with a warning, and looks at nothing, where a server gives no
// session id. Sessions are optional and this server keeps none, so that its
// question is put here: several requests at once, each answered on its own.
async function stream(url, id) {
  const answer = await fetch(`${url}/mcp`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', accept: 'text/event-stream, application/json', 'mcp-protocol-version': '2025-03-26' },
    body: JSON.stringify({ jsonrpc: '2.0', id, method: 'tools/list', params: {} }),
  });
  assert.equal(answer.status, 200);
  assert.equal(answer.headers.get('mcp-session-id'), null);
  const text = await answer.text();
  if (!answer.headers.get('content-type').startsWith('text/event-stream')) return { ...JSON.parse(text), events: 1 };
  const data = text.split('\n').filter((line) => line.startsWith('data:'));
  return { ...JSON.parse(data[0].slice('data:'.length)), events: data.length };
}
