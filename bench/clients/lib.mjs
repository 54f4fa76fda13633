// What the groups share: counting, running commands, servers on a port.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile, readdir } from 'node:fs/promises';
import net from 'node:net';
import assert from 'node:assert/strict';

export const TOOLS = ['forget', 'recall', 'recall_path', 'reflect', 'remember', 'status', 'sync'];
export const RESOURCES = ['memory://MEMORY.md', 'memory://boot', 'memory://boot/reset', 'memory://recent', 'memory://today'];

/** Report counts checks and prints a line for each. */
export class Report {
  passed = 0;
  failed = 0;

  async check(name, body) {
    try {
      await body();
      this.pass(name);
    } catch (error) {
      this.fail(name, error);
    }
  }

  pass(name) {
    this.passed++;
    console.log(`ok    ${name}`);
  }

  fail(name, error) {
    this.failed++;
    const why = String(error?.message ?? error).trim().slice(0, 1200);
    console.log(`FAIL  ${name.slice(0, 600)}${why && `\n      ${why.replaceAll('\n', '\n      ')}`}`);
  }
}

/** environment is all that a host may give its servers. */
export function environment(home) {
  return { HOME: home, PATH: process.env.PATH };
}

/** run starts a command and waits for it; it never throws for an exit status. */
export async function run(command, args, { env, cwd, input = '', timeout = 60_000 } = {}) {
  const child = spawn(command, args, { env, cwd, stdio: ['pipe', 'pipe', 'pipe'] });
  const late = setTimeout(() => child.kill('SIGKILL'), timeout);
  let stdout = '';
  let stderr = '';
  child.stdout.setEncoding('utf8').on('data', (text) => (stdout += text));
  child.stderr.setEncoding('utf8').on('data', (text) => (stderr += text));
  child.stdin.on('error', () => {});
  child.stdin.end(input);
  const [code, signal] = await once(child, 'close');
  clearTimeout(late);
  return { code, signal, stdout, stderr };
}

/** parsed reads the JSON that a command printed, or says what it printed instead. */
export function parsed(result, what) {
  assert.equal(result.code, 0, `${what}: exit status ${result.code}\n${result.stdout}${result.stderr}`);
  try {
    return JSON.parse(result.stdout);
  } catch {
    throw new Error(`${what}: not JSON: ${result.stdout.slice(0, 400)}${result.stderr.slice(0, 400)}`);
  }
}

export async function freePort() {
  const listener = net.createServer().listen(0, '127.0.0.1');
  await once(listener, 'listening');
  const { port } = listener.address();
  listener.close();
  await once(listener, 'close');
  return port;
}

export const pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

/** until waits for a condition to become truthy. */
export async function until(condition, what, ms = 10_000) {
  for (const end = Date.now() + ms; Date.now() < end; await pause(50)) {
    const value = await condition();
    if (value) return value;
  }
  throw new Error(`${what}: not within ${ms} ms`);
}

/** serveHTTP starts the server on a free port and waits until it is healthy. */
export async function serveHTTP({ binary, workspace, home, args = [], env = {} }) {
  const port = await freePort();
  const child = spawn(binary, ['serve', '--workspace', workspace, '--http', `127.0.0.1:${port}`, ...args], {
    env: { ...environment(home), ...env },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  let log = '';
  child.stderr.setEncoding('utf8').on('data', (text) => (log += text));
  const exited = once(child, 'exit');
  const url = `http://127.0.0.1:${port}`;
  await until(() => fetch(`${url}/healthz`).then((r) => r.ok, () => false), `healthz of ${url}; log: ${log}`).catch((error) => {
    child.kill('SIGKILL');
    throw new Error(`${error.message}\n${log}`);
  });
  return {
    url, port, pid: child.pid, log: () => log,
    async stop() {
      child.kill('SIGTERM');
      const late = setTimeout(() => child.kill('SIGKILL'), 8_000);
      const [code, signal] = await exited;
      clearTimeout(late);
      return { code, signal };
    },
  };
}

/** processesWith lists the ids of running processes that have an argument (Linux). */
export async function processesWith(argument) {
  const found = [];
  for (const pid of await readdir('/proc').catch(() => [])) {
    if (!/^\d+$/.test(pid)) continue;
    const words = (await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '')).split('\0');
    if (words.includes(argument) && words.includes('serve')) found.push(Number(pid));
  }
  return found;
}

/** peakMemory is the largest resident size of a process so far, in MiB (Linux). */
export async function peakMemory(pid) {
  const status = await readFile(`/proc/${pid}/status`, 'utf8').catch(() => '');
  const match = /VmHWM:\s+(\d+) kB/.exec(status);
  return match ? Number(match[1]) / 1024 : undefined;
}

/** structured checks that text and structured content are the same JSON, and returns it. */
export function structured(result) {
  assert.equal(result.content?.length, 1, `one content item, got ${JSON.stringify(result).slice(0, 300)}`);
  assert.deepEqual(JSON.parse(result.content[0].text), result.structuredContent);
  return result.structuredContent;
}

/** announcedWell checks a list of tools as clients get it. */
export function announcedWell(tools) {
  assert.deepEqual(tools.map((t) => t.name).sort(), TOOLS);
  for (const t of tools) {
    assert.equal(t.inputSchema?.type, 'object', `${t.name}: input schema`);
    assert.equal(t.outputSchema?.type, 'object', `${t.name}: output schema`);
    for (const hint of ['readOnlyHint', 'destructiveHint', 'idempotentHint', 'openWorldHint']) {
      assert.equal(typeof t.annotations?.[hint], 'boolean', `${t.name}: ${hint}`);
    }
  }
  const hinted = (name) => tools.find((t) => t.name === name).annotations;
  for (const name of ['recall', 'recall_path', 'status']) assert.equal(hinted(name).readOnlyHint, true, name);
  assert.equal(hinted('forget').destructiveHint, true);
}
