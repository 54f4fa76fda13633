// mcporter: listing, every way in which it mangles arguments, keep-alive.
import assert from 'node:assert/strict';
import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { environment, parsed, processesWith, RESOURCES, run, serveHTTP, TOOLS, until } from './lib.mjs';

// What is typed for content, and what must be remembered.
const coercions = [
  ['content=123', '123'],
  ['content=007', '007'],
  ['content=a=b: c', 'a=b: c'],
  ['content=true', 'true'],
  ['content=false', 'false'],
  ['content=["a","b"]', '["a","b"]'],
  ['content={"a":1}', '{"a":1}'],
  ['content=[x] done', '[x] done'],
  ['content=  padded text  ', 'padded text'],
  ['content=@@alice said hi', '@alice said hi'],
  ['content:colon form', 'colon form'],
  ['content=账本用 SQLite，不用 Postgres', '账本用 SQLite，不用 Postgres'],
];

export async function mcporter({ binary, dir, report }) {
  const workspace = path.join(dir, 'w');
  const kept = path.join(dir, 'k');
  const home = path.join(dir, 'h');
  await mkdir(path.join(home, '.mcporter'), { recursive: true });
  const web = await serveHTTP({ binary, workspace, home });
  const server = { command: binary, args: ['serve', '--workspace', workspace] };
  await writeFile(path.join(home, '.mcporter', 'mcporter.json'), JSON.stringify({ mcpServers: {
    am: server,
    alive: { command: binary, args: ['serve', '--workspace', kept], lifecycle: 'keep-alive' },
    http: { baseUrl: `${web.url}/mcp` },
    sse: { baseUrl: `${web.url}/sse` },
    newest: { ...server, protocolVersion: '2026-07-28' },
    oldest: { ...server, protocolVersion: 'legacy' },
  } }));
  const client = (args, input) => run('mcporter', args, { env: environment(home), cwd: dir, input });
  const call = async (...args) => parsed(await client(['call', ...args, '--output', 'json']), args.join(' '));

  await listing(report, client);
  await arguments_(report, client, call);
  await refusals(report, client);
  await transports(report, call);
  await keepAlive(report, client, call, kept);
  await web.stop();
}

async function listing(report, client) {
  await report.check('mcporter: list', async () => {
    const { stdout, code } = await client(['list', 'am']);
    assert.equal(code, 0);
    for (const tool of TOOLS) assert.match(stdout, new RegExp(`function ${tool}\\(`));
  });
  await report.check('mcporter: list --schema', async () => {
    const { stdout, code } = await client(['list', 'am', '--schema', '--json']);
    assert.equal(code, 0);
    assert.equal(JSON.parse(stdout).tools.length, TOOLS.length);
  });
  await report.check('mcporter: resources', async () => {
    const { stdout, code } = await client(['resource', 'am']);
    assert.equal(code, 0);
    for (const uri of RESOURCES) assert.ok(stdout.includes(uri), `${uri} not in ${stdout}`);
    assert.equal((await client(['resource', 'am', 'memory://recent'])).code, 0);
  });
}

async function arguments_(report, client, call) {
  const contentAt = async (uri) => {
    const found = await call('am.recall_path', `uri=${uri}`);
    assert.equal(found.found, true, JSON.stringify(found));
    return found.memory.content;
  };
  for (const [i, [typed, wanted]] of coercions.entries()) {
    await report.check(`mcporter: ${typed.trim()}`, async () => {
      const uri = `knowledge://coercion/case-${i}`;
      const answer = await call('am.remember', typed, `uri=${uri}`);
      assert.equal(answer.action, 'added', JSON.stringify(answer));
      assert.equal(await contentAt(uri), wanted);
    });
  }
  for (const typed of ['content=none', 'content=null']) {
    await report.check(`mcporter: ${typed} is refused as empty, and the next call is answered`, async () => {
      const { code, stdout } = await client(['call', 'am.remember', typed]);
      assert.ok(code === 1 || /skipped/.test(stdout), `${code} ${stdout}`);
      assert.match(stdout, /invalid_argument|skipped/);
      await call('am.status');
    });
  }
  await forms(report, client, call, contentAt);
}

async function forms(report, client, call, contentAt) {
  await report.check('mcporter: numbers as text, camelCase and kebab-case names', async () => {
    const uri = 'emotion://coercion/names';
    await call('am.remember', 'content=glad about the release', `uri=${uri}`, '--emotion-val', '0.3', '--session-id', '42',
      'importance=0.7', 'observedAt=2026-02-21T22:00:00Z', '--raw-strings');
    const { memory: kept } = await call('am.recall_path', `uri=${uri}`);
    assert.equal(kept.session_id, '42', JSON.stringify(kept));
    assert.equal(kept.importance, 0.7);
    assert.equal(kept.emotion_val, 0.3);
    assert.match(kept.observed_at, /^2026-02-2[12]/);
  });
  await report.check('mcporter: one word for a list, and a list with commas', async () => {
    const found = await call('am.recall', 'query=release', 'type=emotion,knowledge', 'limit=3', '--raw-strings');
    assert.ok(found.memories.length <= 3);
    assert.ok(found.memories.some((m) => m.uri === 'emotion://coercion/names'), JSON.stringify(found));
  });
  await report.check('mcporter: function-call form', async () => {
    const found = await call('am.recall(query: "release", limit: 2)');
    assert.equal(typeof found.count, 'number');
  });
  await report.check('mcporter: --args takes arbitrary text', async () => {
    const uri = 'knowledge://coercion/args';
    const content = ' <!-- am:x --> "quotes" \\ back\n\n```sh\nmake\n``` 🎉 true';
    await call('am.remember', '--args', JSON.stringify({ content, uri }));
    assert.equal((await contentAt(uri)).trim(), content.trim());
  });
  await report.check('mcporter: --args - reads standard input', async () => {
    const uri = 'knowledge://coercion/stdin';
    const { code, stdout } = await client(['call', 'am.remember', '--args', '-', '--output', 'json'], JSON.stringify({ content: 'from a pipe', uri }));
    assert.equal(code, 0, stdout);
    assert.equal(await contentAt(uri), 'from a pipe');
  });
  await report.check('mcporter: a batch', async () => {
    const answer = await call('am.remember', '--args', JSON.stringify({ items: [
      { content: 'first of the batch, about llamas', uri: 'knowledge://coercion/b1' },
      { content: 'second of the batch, about boats', uri: 'knowledge://coercion/b2' }] }));
    assert.match(JSON.stringify(answer), /coercion\/b1.*coercion\/b2/);
  });
}

async function refusals(report, client) {
  const cases = [
    ['an unknown name', ['am.remember', 'content=x', 'colour=red'], /unknown argument.*colour.*valid arguments: .*content/s],
    ['a missing argument', ['am.recall_path'], /invalid_argument.*uri/s],
    ['a value that is not in the list', ['am.remember', 'content=something new', 'type=nonsense'], /invalid_argument.*identity/s],
    ['a number out of range', ['am.recall', 'query=x', 'min_score=7'], /invalid_argument.*min_score/s],
    ['an address that looks like a path', ['am.remember', 'content=something', 'uri=knowledge://../../etc/passwd'], /invalid_argument/],
  ];
  for (const [name, args, wanted] of cases) {
    await report.check(`mcporter: ${name} is refused with status 1`, async () => {
      const { code, stdout, stderr } = await client(['call', ...args]);
      assert.equal(code, 1, stdout);
      assert.match(stdout, wanted);
      assert.doesNotMatch(stdout + stderr, /goroutine|\.go:\d|panic/);
    });
  }
  await report.check('mcporter: a tool that does not exist', async () => {
    const { code, stderr } = await client(['call', 'am.memorise', 'content=x']);
    assert.equal(code, 1);
    assert.match(stderr, /remember/);
  });
}

async function transports(report, call) {
  for (const server of ['http', 'sse', 'newest', 'oldest']) {
    await report.check(`mcporter: remember and recall over ${server}`, async () => {
      const uri = `knowledge://transport/${server}`;
      const kept = await call(`${server}.remember`, `content=the ${server} transport carries zebras`, `uri=${uri}`);
      const found = await call(`${server}.recall`, `query=${server} zebras`, 'limit=20');
      assert.ok(found.memories.some((m) => m.id === kept.memoryId), JSON.stringify(found).slice(0, 500));
    });
  }
}

async function keepAlive(report, client, call, workspace) {
  await report.check('mcporter: keep-alive keeps one process, which remembers', async () => {
    const kept = await call('alive.remember', 'content=the daemon likes hippos', 'uri=knowledge://alive/x');
    const [first] = await processesWith(workspace);
    assert.ok(first, 'no process');
    for (let i = 0; i < 3; i++) {
      const found = await call('alive.recall', 'query=hippos daemon');
      assert.ok(found.memories.some((m) => m.id === kept.memoryId), JSON.stringify(found));
    }
    assert.deepEqual(await processesWith(workspace), [first]);
  });
  await report.check('mcporter: stopping its daemon leaves no process behind', async () => {
    await client(['daemon', 'stop']);
    await until(async () => (await processesWith(workspace)).length === 0, 'the server to end', 8_000);
  });
}
