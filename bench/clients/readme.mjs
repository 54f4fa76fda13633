// What README.md tells people to paste: every block for a client is put where the
// README says, and used.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { mkdir, readFile, symlink, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { environment, parsed, run, serveHTTP, TOOLS } from './lib.mjs';

const root = path.resolve(import.meta.dirname, '../..');

/** blockAfter is the first fenced block after a heading of a client. */
function blockAfter(text, client) {
  const at = text.indexOf(`**${client}**`);
  const block = /```(\w+)\n([\s\S]*?)```/.exec(at < 0 ? '' : text.slice(at));
  assert.ok(block, `README.md has no block for ${client}`);
  return { language: block[1], text: block[2] };
}

/** toolsOf starts a server as a client would and asks it for its tools. */
async function toolsOf({ command, args }, env, cwd) {
  const child = spawn(command, args, { env, cwd, stdio: ['pipe', 'pipe', 'ignore'] });
  const asked = [
    { id: 1, method: 'initialize', params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'readme', version: '1' } } },
    { method: 'notifications/initialized' },
    { id: 2, method: 'tools/list' },
  ];
  child.stdin.end(asked.map((m) => JSON.stringify({ jsonrpc: '2.0', ...m }) + '\n').join(''));
  let out = '';
  for await (const text of child.stdout.setEncoding('utf8')) out += text;
  const answer = out.split('\n').filter(Boolean).map((line) => JSON.parse(line)).find((m) => m.id === 2);
  return answer.result.tools.map((t) => t.name).sort();
}

export async function readme({ binary, dir, report }) {
  const text = await readFile(path.join(root, 'README.md'), 'utf8');
  const home = path.join(dir, 'h');
  const bin = path.join(dir, 'b');
  const place = async (name, content) => {
    await mkdir(path.dirname(path.join(home, name)), { recursive: true });
    await writeFile(path.join(home, name), content);
  };
  await mkdir(bin, { recursive: true });
  await mkdir(home, { recursive: true });
  await symlink(binary, path.join(bin, 'agent-memory'));
  const env = { ...environment(home), PATH: `${bin}:${process.env.PATH}` };
  const shell = (line) => run('bash', ['-c', line], { env, cwd: home });

  await report.check('readme: mcporter with the block and the commands of the README', async () => {
    await place('.mcporter/mcporter.json', blockAfter(text, 'mcporter').text);
    const lines = [...text.matchAll(/`(mcporter call [^`]+)`/g)].map((m) => m[1]);
    assert.ok(lines.length >= 2, 'the README shows how to call');
    const answers = [];
    for (const line of lines) answers.push(parsed(await shell(`${line} --output json`), line));
    assert.equal(answers[0].action, 'added', JSON.stringify(answers[0]));
    assert.equal(answers[1].count, 1, JSON.stringify(answers[1]));
    assert.match(answers[1].memories[0].content, /SQLite/);
    await shell('mcporter daemon stop');
  });

  for (const [client, list] of [['Cursor', 'mcpServers'], ['VS Code', 'servers']]) {
    await report.check(`readme: ${client} starts the server of its block`, async () => {
      const entry = JSON.parse(blockAfter(text, client).text)[list]['agent-memory'];
      assert.deepEqual(await toolsOf(entry, env, home), TOOLS);
    });
  }

  await report.check('readme: doctor finds every client whose block was pasted', async () => {
    await place('.openclaw/openclaw.json', `{ ${blockAfter(text, 'OpenClaw').text} }`);
    await place('.codex/config.toml', blockAfter(text, 'Codex').text);
    await place('.cursor/mcp.json', blockAfter(text, 'Cursor').text);
    await place('.config/Code/User/mcp.json', blockAfter(text, 'VS Code').text);
    const report = await run('agent-memory', ['doctor', '--json'], { env, cwd: home });
    const found = JSON.parse(report.stdout).findings.filter((f) => f.area === 'clients' && f.level === 'ok').map((f) => f.message.split(' starts ')[0]);
    assert.deepEqual(found.sort(), ['Codex', 'Cursor', 'OpenClaw', 'VS Code', 'mcporter'], report.stdout);
  });

  await report.check('readme: the inspector as the README starts it', async () => {
    assert.match(text, /`npx @modelcontextprotocol\/inspector agent-memory serve`/);
    const line = 'mcp-inspector --cli agent-memory serve --method tools/list';
    assert.deepEqual(parsed(await shell(line), line).tools.map((t) => t.name).sort(), TOOLS);
  });

  await report.check('readme: mcp.json.example, over standard input and HTTP', async () => {
    const example = JSON.parse(await readFile(path.join(root, 'mcp.json.example'), 'utf8')).mcpServers;
    assert.deepEqual(await toolsOf(example['agent-memory'], env, home), TOOLS);
    const web = await serveHTTP({ binary, workspace: path.join(dir, 'w'), home });
    try {
      const url = new URL(example['agent-memory-http'].url);
      assert.equal(url.host, '127.0.0.1:8765');
      const asked = await fetch(web.url + url.pathname, {
        method: 'POST',
        headers: { 'content-type': 'application/json', accept: 'application/json, text/event-stream' },
        body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list' }),
      });
      assert.equal(asked.status, 200);
    } finally {
      await web.stop();
    }
  });
}
