// The client of the official Go SDK, a program of its own: it prints a line a
// check, as "ok NAME" or "FAIL NAME: WHY".
import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import { environment, run, serveHTTP } from './lib.mjs';

export async function gosdk({ binary, cache, dir, report }) {
  const home = path.join(dir, 'home');
  await mkdir(home);
  const workspace = path.join(dir, 'workspace');
  const web = await serveHTTP({ binary, workspace, home });
  const { code, stdout, stderr } = await run(path.join(cache, 'gosdk'), [binary, workspace, web.url], { env: environment(home), timeout: 120_000 });
  for (const text of stdout.split('\n')) {
    const [, verdict, name] = /^(ok|FAIL)\s+(.*)$/.exec(text) ?? [];
    if (verdict === 'ok') report.pass(`go sdk: ${name}`);
    if (verdict === 'FAIL') report.fail(`go sdk: ${name}`, '');
  }
  await report.check('go sdk: the client ran to its end', async () => {
    if (code !== 0 || !stdout.includes('done')) throw new Error(`exit status ${code}\n${stderr}`);
  });
  await web.stop();
}
