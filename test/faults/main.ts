import { Installation } from './installation';
import { lacking } from './programs';
import { runScenario, type Report } from './run';
import { SCENARIOS } from './scenarios';

const USAGE = `npm run faults -- [<scenario>...] [--seconds <number>]

${Object.entries(SCENARIOS)
  .map(([name, { about }]) => `  ${name.padEnd(24)}${about}`)
  .join('\n')}
`;

const HEAD =
  '| fault | acknowledged | refused | broken off | lost | registered anew | slowest answer | goes on after | wrong | besides |';

function row({
  name,
  acknowledged,
  refused,
  broken,
  lost,
  reregistered,
  slowest,
  recoveredMs,
  complaints,
  late,
  notes,
}: Report) {
  const times = [slowest.ms, recoveredMs].map((ms) =>
    ms === null ? 'never' : `${(ms / 1000).toFixed(1)} s`,
  );
  const wrong = [...complaints, ...late].join(' ') || 'nothing';
  return `| ${[name, acknowledged, refused, broken, lost, reregistered, ...times, wrong, notes.join(' ')].join(' | ')} |`;
}

async function main(given: string[]): Promise<void> {
  const at = given.indexOf('--seconds');
  const [, seconds = '20'] = at < 0 ? [] : given.splice(at, 2);
  const names = given.length > 0 ? given : Object.keys(SCENARIOS);
  if (names.some((name) => !SCENARIOS[name]) || !(Number(seconds) > 0)) {
    process.stdout.write(USAGE);
    process.exitCode = 2;
    return;
  }
  process.stdout.write(`${HEAD}\n|${' --- |'.repeat(10)}\n`);
  for (const name of names) {
    const reason = lacking(SCENARIOS[name]?.needs ?? []);
    if (reason !== null) {
      process.stdout.write(`| ${name} | was not tried: ${reason} |${' |'.repeat(8)}\n`);
      continue;
    }
    const report = await runScenario(name, Number(seconds));
    process.stdout.write(`${row(report)}\n`);
    if (report.complaints.length + report.late.length > 0) process.exitCode = 1;
  }
}

// What was started goes with the command: PostgreSQL and nodes would run on.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
  process.once(signal, () => {
    void Installation.endAll().finally(() => process.exit(130));
  });
}

void main(process.argv.slice(2));
