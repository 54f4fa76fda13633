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
  await web.stop();
}
