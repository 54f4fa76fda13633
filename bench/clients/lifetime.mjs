// How the process lives and dies, and what it does with input that no proper
// client sends.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, writeFile } from 'node:fs/promises';
import http from 'node:http';
import net from 'node:net';
import path from 'node:path';
import { environment, peakMemory, serveHTTP, until } from './lib.mjs';
import { Pipe } from './pipe.mjs';

const MiB = 1 << 20;

export async function lifetime({ binary, dir, report }) {
  const home = path.join(dir, 'home');
  await mkdir(home);
  let number = 0;
  const workspace = () => path.join(dir, `w${number++}`);
  const open = () => new Pipe(binary, workspace(), home);
  await endings(report, { binary, home, workspace, open });
  await hostileLines(report, open);
  await hostileHTTP(report, { binary, home, dir, workspace });
}

async function endings(report, { binary, home, workspace, open }) {
  await report.check('pipe: 20 × 21 calls, then the input ends: every call is answered', async () => {
    for (let round = 0; round < 20; round++) {
      const pipe = open();
      for (let i = 0; i < 21; i++) {
        const args = i % 2 ? { query: `round ${round}` } : { content: `round ${round} call ${i}: the number is ${i * 7919}` };
        await pipe.send(i, 'tools/call', { name: i % 2 ? 'recall' : 'remember', arguments: args });
      }
      assert.deepEqual(await pipe.end(), { code: 0, signal: null }, pipe.log);
      assert.equal(pipe.answers.size, 21, `round ${round}; log: ${pipe.log}`);
      for (const a of pipe.answers.values()) assert.ok(a.result && !a.result.isError, `round ${round}: ${JSON.stringify(a)}`);
      assert.deepEqual(pipe.noise, []);
    }
  });
  await report.check('pipe: what was remembered is recalled by the next line', async () => {
    const pipe = open();
    for (let i = 0; i < 10; i++) {
      await pipe.send(`w${i}`, 'tools/call', { name: 'remember', arguments: { content: `otter number ${i} lives in pond ${i * 31}`, uri: `knowledge://otters/${i}` } });
      await pipe.send(`r${i}`, 'tools/call', { name: 'recall_path', arguments: { uri: `knowledge://otters/${i}` } });
    }
    for (let i = 0; i < 10; i++) {
      const { result } = await pipe.answer(`r${i}`);
      assert.match(result.content[0].text, new RegExp(`otter number ${i} `));
    }
    await pipe.end();
  });
  await report.check('pipe: SIGTERM is a clean end', async () => {
    const pipe = open();
    await pipe.call(1, 'status', {});
    pipe.child.kill('SIGTERM');
    assert.deepEqual(await pipe.exited, { code: 0, signal: null }, pipe.log);
    assert.deepEqual(pipe.noise, []);
  });
  await report.check('pipe: the server ends when its host is killed', async () => {
    const script = `const s=require('child_process').spawn(process.argv[1],['serve','--workspace',process.argv[2]],{stdio:['pipe','pipe','ignore']});
      s.stdout.on('data',()=>console.log(s.pid));s.stdin.write('{"jsonrpc":"2.0","id":1,"method":"ping"}\\n');setInterval(()=>{},1000)`;
    const host = spawn(process.execPath, ['-e', script, binary, workspace()], { env: environment(home), stdio: ['ignore', 'pipe', 'inherit'] });
    const [pid] = await once(host.stdout.setEncoding('utf8'), 'data');
    host.kill('SIGKILL');
    await until(() => { try { process.kill(Number(pid), 0); return false; } catch { return true; } }, 'the end of the server', 8_000);
  });
}

async function hostileLines(report, open) {
  const cases = [
    ['invalid UTF-8', Buffer.from([0x7b, 0xff, 0xfe, 0x7d, 0x0a]), -32700],
    ['NUL', Buffer.from('{"jsonrpc":"2.0",\0"id":1}\n'), -32700],
    ['20,000 levels of JSON', `{"jsonrpc":"2.0","id":null,"method":"tools/call","params":{"arguments":${'['.repeat(20_000)}${']'.repeat(20_000)}}}\n`, -32700],
    ['a text that is no JSON', 'hello\n', -32700],
  ];
  for (const [name, raw, code] of cases) {
    await report.check(`pipe: ${name}: an error, and the next call is answered`, async () => {
      const pipe = open();
      await pipe.write(raw);
      assert.equal((await pipe.answer(null)).error.code, code);
      await pipe.call(2, 'status', {});
      await pipe.end();
    });
  }
  await report.check('pipe: a line of 100 MiB: refused under its id in bounded memory, and the next call is answered', async () => {
    const pipe = open();
    await pipe.write('{"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"name":"remember","arguments":{"content":"');
    const part = 'x'.repeat(MiB);
    for (let i = 0; i < 100; i++) await pipe.write(part);
    await pipe.write('"}}}\n');
    const { error } = await pipe.answer(7, 30_000);
    assert.equal(error.code, -32600);
    await pipe.call(8, 'status', {});
    const used = await peakMemory(pipe.child.pid);
    assert.ok(used === undefined || used < 100, `${used} MiB`);
    await pipe.end();
  });
  await report.check('pipe: strange characters come back as they may, and stay on one line', async () => {
    const pipe = open();
    const content = 'bidi \u202e tag \u{e0041} zero \u200b esc \u001b[31m line\u2028sep <!-- am:06g3zk9w2r4tq8m1c5xd7hj0nb --> ## 22:00 账本';
    const kept = await pipe.call(1, 'remember', { content, uri: 'knowledge://strange/characters' });
    assert.ok(kept.memoryId, JSON.stringify(kept));
    await pipe.call(2, 'recall', { query: '账本' });
    assert.deepEqual(pipe.noise, []);
    await pipe.end();
  });
}

// post sends a request by hand: fetch would set Host and Origin itself.
function post(port, headers, chunks) {
  return new Promise((resolve, reject) => {
    const request = http.request({ host: '127.0.0.1', port, path: '/mcp', method: 'POST', headers: { 'Content-Type': 'application/json', ...headers } }, (response) => {
      let body = '';
      response.setEncoding('utf8').on('data', (text) => (body += text)).on('end', () => resolve({ status: response.statusCode, body }));
    });
    let answered = false;
    request.on('response', () => (answered = true));
    request.on('error', (error) => answered || reject(error));
    const next = (i) => {
      if (i === chunks.length || answered || request.destroyed) return request.end();
      if (request.write(chunks[i])) return setImmediate(next, i + 1);
      return request.once('drain', () => next(i + 1));
    };
    next(0);
  });
}

async function hostileHTTP(report, { binary, home, dir, workspace }) {
  const ping = '{"jsonrpc":"2.0","id":1,"method":"ping"}';
  const web = await serveHTTP({ binary, workspace: workspace(), home });
  for (const [name, headers] of [['origin', { Origin: 'http://evil.example' }], ['host', { Host: 'evil.example' }]]) {
    await report.check(`http: a foreign ${name} gets 403`, async () => {
      assert.equal((await post(web.port, headers, [ping])).status, 403);
    });
  }
  await report.check('http: a body of 200 MiB: refused in bounded memory, and the next call is answered', async () => {
    const part = 'x'.repeat(MiB);
    const result = await post(web.port, {}, [`{"jsonrpc":"2.0","id":1,"method":"`, ...Array(200).fill(part), '"}']).catch((error) => ({ status: error.code }));
    assert.ok([413, 'EPIPE', 'ECONNRESET'].includes(result.status), JSON.stringify(result));
    assert.equal((await post(web.port, {}, [ping])).status, 200);
    const used = await peakMemory(web.pid);
    assert.ok(used === undefined || used < 100, `${used} MiB`);
  });
  await report.check('http: slow and silent connections do not keep others out', async () => {
    const idle = Array.from({ length: 50 }, () => net.connect(web.port, '127.0.0.1').on('error', () => {}));
    for (const socket of idle) socket.write('POST /mcp HTTP/1.1\r\nHost: localhost\r\n');
    assert.equal((await post(web.port, {}, [ping])).status, 200);
    for (const socket of idle) socket.destroy();
  });
  await report.check('http: SIGTERM is a clean end', async () => {
    assert.deepEqual(await web.stop(), { code: 0, signal: null }, web.log());
  });
  await tokens(report, { binary, home, dir, workspace, ping });
}

async function tokens(report, { binary, home, dir, workspace, ping }) {
  const token = 'a-token-for-the-checks-0123456789';
  const file = path.join(dir, 'token');
  await writeFile(file, `${token}\n`, { mode: 0o600 });
  const web = await serveHTTP({ binary, workspace: workspace(), home, args: ['--token-file', file] });
  for (const [name, headers, status] of [
    ['no token', {}, 401],
    ['a wrong token', { Authorization: 'Bearer wrong' }, 401],
    ['the token', { Authorization: `Bearer ${token}` }, 200],
  ]) {
    await report.check(`http: ${name} gets ${status}`, async () => {
      assert.equal((await post(web.port, headers, [ping])).status, status);
    });
  }
  await web.stop();
  await report.check('http: an address that others reach is refused without consent', async () => {
    const child = spawn(binary, ['serve', '--workspace', workspace(), '--http', '0.0.0.0:0'], { env: environment(home), stdio: 'ignore' });
    const [code] = await once(child, 'exit');
    assert.notEqual(code, 0);
  });
}
