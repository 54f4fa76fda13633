// A bare client over two pipes: what no SDK would send, it can.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { environment } from './lib.mjs';

export class Pipe {
  answers = new Map();
  noise = [];
  #waiting = new Map();
  #rest = '';

  constructor(binary, workspace, home) {
    this.child = spawn(binary, ['serve', '--workspace', workspace], { env: environment(home), stdio: ['pipe', 'pipe', 'pipe'] });
    this.exited = once(this.child, 'exit').then(([code, signal]) => ({ code, signal }));
    this.closed = once(this.child, 'close');
    this.log = '';
    this.child.stderr.setEncoding('utf8').on('data', (text) => (this.log += text));
    this.child.stdout.setEncoding('utf8').on('data', (text) => this.#read(text));
    this.child.stdin.on('error', () => {});
  }

  #read(text) {
    const lines = (this.#rest + text).split('\n');
    this.#rest = lines.pop();
    for (const line of lines) {
      let message;
      try {
        message = JSON.parse(line);
      } catch {
        this.noise.push(line);
        continue;
      }
      if (message.jsonrpc !== '2.0') this.noise.push(line);
      this.answers.set(message.id, message);
      this.#waiting.get(message.id)?.(message);
    }
  }

  write(raw) {
    return new Promise((resolve) => (this.child.stdin.write(raw) ? resolve() : this.child.stdin.once('drain', resolve)));
  }

  send(id, method, params) {
    return this.write(`${JSON.stringify({ jsonrpc: '2.0', id, method, params })}\n`);
  }

  answer(id, ms = 20_000) {
    if (this.answers.has(id)) return Promise.resolve(this.answers.get(id));
    return new Promise((resolve, reject) => {
      const late = setTimeout(() => reject(new Error(`no answer to ${id} in ${ms} ms; log: ${this.log.slice(-500)}`)), ms);
      this.#waiting.set(id, (message) => {
        clearTimeout(late);
        resolve(message);
      });
    });
  }

  async call(id, name, args) {
    await this.send(id, 'tools/call', { name, arguments: args });
    const { result, error } = await this.answer(id);
    if (error || result.isError) throw new Error(JSON.stringify(error ?? result.content));
    return result.structuredContent;
  }

  async end() {
    this.child.stdin.end();
    await this.closed;
    return this.exited;
  }
}
