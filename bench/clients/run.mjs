// Runs the groups of checks one after the other and counts.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Report } from './lib.mjs';
import { inspector } from './inspector.mjs';
import { mcporter } from './mcporter.mjs';
import { conformance } from './conformance.mjs';
import { gosdk } from './gosdk.mjs';
import { lifetime } from './lifetime.mjs';
import { readme } from './readme.mjs';

const groups = { inspector, mcporter, conformance, gosdk, lifetime, readme };
const [binary, cache, ...wanted] = process.argv.slice(2);
const unknown = wanted.filter((name) => !groups[name]);
if (!binary || unknown.length) {
  console.error(`usage: run.sh [BINARY] [${Object.keys(groups).join(' ')}]`);
  process.exit(2);
}

const report = new Report();
for (const [name, group] of Object.entries(groups)) {
  if (wanted.length && !wanted.includes(name)) continue;
  // A short path: mcporter keeps a socket below its home, and socket paths end at 108 bytes.
  const dir = await mkdtemp(path.join(tmpdir(), 'amc-'));
  try {
    await group({ binary: path.resolve(binary), cache, dir, report });
  } catch (error) {
    report.fail(`${name}: the group`, error);
  } finally {
    await rm(dir, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 });
  }
}
console.log(`\n${report.passed} passed, ${report.failed} failed`);
process.exit(report.failed ? 1 : 0);
