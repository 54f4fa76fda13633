// The command line of the MCP inspector, over every transport and era.
import assert from 'node:assert/strict';
import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { announcedWell, environment, parsed, RESOURCES, run, serveHTTP, structured } from './lib.mjs';

const text = '账本用 SQLite，不用 Postgres: ledger storage <decided>';

export async function inspector({ binary, dir, report }) {
  const workspace = path.join(dir, 'workspace');
  const home = path.join(dir, 'home');
  await mkdir(home);
  const web = await serveHTTP({ binary, workspace, home });
  const config = path.join(dir, 'servers.json');
  await writeFile(config, JSON.stringify({ mcpServers: {
    stdio: { command: binary, args: ['serve', '--workspace', workspace], env: {} },
    http: { type: 'streamable-http', url: `${web.url}/mcp` },
    sse: { type: 'sse', url: `${web.url}/sse` },
  } }));
  const targets = [['stdio', 'legacy'], ['stdio', 'modern'], ['http', 'legacy'], ['http', 'modern'], ['sse', 'legacy'], ['sse', 'auto']];
  const one = async ([server, era]) => {
    const inspect = (...args) => run('mcp-inspector',
      ['--cli', '--config', config, '--server', server, '--protocol-era', era, '--format', 'json', ...args],
      { env: { ...environment(home), MCP_INSPECTOR_SECRET_STORE: 'memory' } });
    await target(report, `inspector, ${server}, ${era}`, `knowledge://checks/inspector-${server}-${era}`, inspect);
  };
  const rest = targets.values(); // two at a time: most of the time goes into starting Node
  await Promise.all([0, 1].map(async () => { for (const next of rest) await one(next); }));
  await report.check('inspector: the HTTP server ends cleanly when told to', async () => {
    assert.deepEqual(await web.stop(), { code: 0, signal: null }, web.log());
  });
}

async function target(report, name, uri, inspect) {
  const result = async (...args) => parsed(await inspect(...args), args.join(' ')).result;
  const call = (tool, args) => result('--method', 'tools/call', '--tool-name', tool,
    ...Object.entries(args).flatMap(([k, v]) => ['--tool-arg', `${k}=${v}`]));
  await report.check(`${name}: tools/list --strict`, async () => {
    const listed = await inspect('--method', 'tools/list', '--strict');
    announcedWell(parsed(listed, 'tools/list').result.tools);
    assert.doesNotMatch(listed.stderr, /portab|warning|error/i);
  });
  await tools(report, name, uri, call);
  await report.check(`${name}: an unknown argument is refused with the valid ones`, async () => {
    const refused = await inspect('--method', 'tools/call', '--tool-name', 'recall', '--tool-arg', 'colour=red');
    assert.equal(refused.code, 5, refused.stdout + refused.stderr);
    assert.match(refused.stdout + refused.stderr, /invalid_argument.*colour.*valid arguments: .*query/s);
  });
  await report.check(`${name}: resources`, async () => {
    const { resources } = await result('--method', 'resources/list');
    assert.deepEqual(resources.map((r) => r.uri).sort(), RESOURCES);
    for (const { uri: address } of resources) {
      const { contents } = await result('--method', 'resources/read', '--uri', address);
      assert.equal(typeof contents[0].text, 'string', address);
    }
  });
  await report.check(`${name}: prompts`, async () => {
    const { prompts } = await result('--method', 'prompts/list');
    assert.ok(prompts.length >= 3, JSON.stringify(prompts));
    const got = await result('--method', 'prompts/get', '--prompt-name', prompts[0].name);
    assert.ok(got.messages[0].content.text.length > 40);
  });
}

async function tools(report, name, uri, call) {
  let id;
  await report.check(`${name}: remember`, async () => {
    const kept = structured(await call('remember', { content: `${text} ${uri}`, uri, source: 'checks' }));
    assert.equal(kept.action, 'added');
    assert.equal(kept.uri, uri);
    id = kept.memoryId;
    assert.ok(id);
  });
  await report.check(`${name}: recall`, async () => {
    const found = structured(await call('recall', { query: `账本 ${uri}`, limit: 20 }));
    assert.equal(found.abstained, false);
    assert.equal(found.count, found.memories.length);
    const hit = found.memories.find((m) => m.id === id);
    assert.ok(hit, JSON.stringify(found).slice(0, 600));
    assert.equal(hit.content, `${text} ${uri}`);
  });
  await report.check(`${name}: recall_path`, async () => {
    const found = structured(await call('recall_path', { uri }));
    assert.match(JSON.stringify(found), new RegExp(id));
  });
  await report.check(`${name}: reflect`, async () => {
    const planned = structured(await call('reflect', { phase: 'decay', dry_run: true }));
    assert.match(JSON.stringify(planned), /decay/);
  });
  await report.check(`${name}: sync`, async () => {
    structured(await call('sync', { dry_run: true }));
  });
  await report.check(`${name}: status`, async () => {
    assert.match(JSON.stringify(structured(await call('status', {}))), /\d/);
  });
  await report.check(`${name}: forget`, async () => {
    structured(await call('forget', { id }));
    const found = structured(await call('recall', { query: `账本 ${uri}`, limit: 20 }));
    assert.ok(!found.memories.some((m) => m.id === id), 'still recalled');
  });
}
