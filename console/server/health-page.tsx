import type { ComponentChildren } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { companion } from '../connection/call';
import { isOwner } from '../connection/state';
import { shownAge, shownBytes, shownNumber, shownTime } from '../parts/format';
import { Page } from '../parts/page';
import { Problem } from '../parts/problem';
import { Table } from '../parts/table';
import { sentenceOf, useFetched } from '../parts/task';
import * as words from '../words';
import { Bar, Spark } from './spark';
import type { ConfiguredSetting, ServerStatus } from './status';

const EVERY_MS = 5_000;
const KEPT = 60;
const BACKUP_DAYS = 7;

/** Names of databases, the same in all languages. */
const ENGINES: Readonly<Record<string, string>> = { sqlite: 'SQLite', postgres: 'PostgreSQL' };

/** Polls the status while the page is open; the newest sample is last. */
function useStatus() {
  const [samples, setSamples] = useState<readonly ServerStatus[]>([]);
  const [error, setError] = useState('');
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout>;
    let isOver = false;
    const read = async () => {
      try {
        const status = await companion<ServerStatus>('GET', 'server/status');
        setSamples((known) => [...known, status].slice(-KEPT));
        setError('');
      } catch (failure) {
        setError(sentenceOf(failure));
      }
      if (!isOver) timer = setTimeout(() => void read(), EVERY_MS);
    };
    void read();
    return () => {
      isOver = true;
      clearTimeout(timer);
    };
  }, []);
  return { samples, error };
}

interface LineProperties {
  readonly title: string;
  readonly isGood: boolean;
  readonly children: ComponentChildren;
}

/** A line that is good or needs attention, marked by a sign and words, not only by color. */
function Line({ title, isGood, children }: LineProperties) {
  return (
    <div class="health">
      <dt class={isGood ? '' : 'error'}>
        {isGood ? '●' : '▲'} {title}
        {!isGood && <span class="unseen"> {words.health.attention}</span>}
      </dt>
      <dd>{children}</dd>
    </div>
  );
}

function Configuration() {
  const { value, error } = useFetched(
    () => companion<{ settings: ConfiguredSetting[] }>('GET', 'server/configuration'),
    [],
  );
  if (!value) return <p class={error ? 'error' : 'empty'}>{error || words.loading}</p>;
  return (
    <Table
      label={words.health.configuration}
      rows={value.settings}
      keyOf={({ variable }) => variable}
      empty={words.none}
      columns={[
        { heading: words.health.variable, cell: ({ variable }) => <code>{variable}</code> },
        {
          heading: words.health.value,
          cell: (each) =>
            each.is_secret ? each.is_set ? words.health.secret : '–' : <code>{each.value || '–'}</code>,
        },
        {
          heading: words.health.meaning,
          cell: ({ about }) => <span class="note">{about.replaceAll('`', '')}</span>,
        },
      ]}
    />
  );
}

/** The state of the server, with small charts. */
export function HealthPage() {
  const { samples, error } = useStatus();
  const status = samples.at(-1);
  if (!status) {
    return <Page title={words.health.title} about={error || words.loading} />;
  }
  const { last_backup: backup, disk, database, clients, jobs, slowest_routes: routes } = status;
  const waiting = jobs.reduce((sum, job) => sum + (job.waiting ?? 0), 0);
  const failed = jobs.reduce((sum, job) => sum + job.failed, 0);
  const isBackupNew = backup !== null && Date.now() / 1000 - backup.made_at < BACKUP_DAYS * 86_400;
  const slowest = Math.max(0, ...routes.map(({ mean_ms: mean }) => mean));
  return (
    <Page
      title={words.health.title}
      about={`Parley ${status.version} (${status.interface_version}, ${status.feature_level}) · Node ${status.node_version}`}
    >
      <Problem text={error} />
      <dl class="lines">
        <Line title={words.health.server} isGood={status.is_ready && status.warnings.length === 0}>
          {[...status.problems, ...status.warnings].join(' ') ||
            words.health.ready(shownAge(status.started_at))}
          {status.nodes !== null && ` · ${words.health.nodes(status.nodes)}`}
          {` · Redis: ${status.checks?.redis ?? '–'}`}
        </Line>
        <Line title={words.health.database} isGood={database.answer_ms !== null}>
          {words.health.answers(
            ENGINES[database.engine] ?? database.engine,
            shownNumber(database.answer_ms),
            shownBytes(database.bytes),
          )}
          <Spark figures={samples.map((each) => each.database.answer_ms ?? 0)} />
        </Line>
        <Line title={words.health.disk} isGood={!disk || disk.free_bytes > disk.total_bytes / 10}>
          {disk ? words.health.free(shownBytes(disk.free_bytes), shownBytes(disk.total_bytes)) : '–'}
          {disk && <Bar part={disk.total_bytes - disk.free_bytes} whole={disk.total_bytes} />}
        </Line>
        <Line title={words.health.backup} isGood={isBackupNew}>
          {backup ? `${shownTime(backup.made_at)} (${shownAge(backup.made_at)})` : words.health.noBackup}
        </Line>
        <Line title={words.health.memory} isGood>
          {shownBytes(status.memory_bytes)}
          <Spark figures={samples.map((each) => each.memory_bytes)} />
        </Line>
        <Line title={words.health.clients} isGood>
          {words.health.queues(shownNumber(clients.queues), shownNumber(clients.waiting_polls))}
          <Spark figures={samples.map((each) => each.clients.queues ?? 0)} />
        </Line>
        <Line title={words.health.writes} isGood={(status.writes.waiting ?? 0) < 1000}>
          {words.health.waiting(shownNumber(status.writes.waiting))}
        </Line>
        <Line title={words.health.events} isGood={(status.events.lag ?? 0) < 1000}>
          {words.health.kept(shownNumber(status.events.kept), shownNumber(status.events.lag))}
        </Line>
        <Line title={words.health.jobs} isGood={failed === 0}>
          {words.health.jobCounts(shownNumber(waiting), shownNumber(failed))}
        </Line>
        <Line title={words.health.signIns} isGood={status.sign_ins.throttled === 0}>
          {words.health.failures(shownNumber(status.sign_ins.failed), shownNumber(status.sign_ins.throttled))}
        </Line>
      </dl>
      <h2>{words.health.routes}</h2>
      <Table
        label={words.health.routes}
        rows={routes}
        keyOf={({ method, route }) => `${method} ${route}`}
        empty={words.none}
        columns={[
          {
            heading: words.health.route,
            cell: ({ method, route }) => (
              <code>
                {method} {route}
              </code>
            ),
          },
          { heading: words.health.mean, cell: (each) => shownNumber(each.mean_ms), isNumber: true },
          { heading: words.health.p95, cell: (each) => shownNumber(each.p95_ms), isNumber: true },
          { heading: words.health.requests, cell: (each) => shownNumber(each.requests), isNumber: true },
          { heading: words.health.drawn, cell: (each) => <Bar part={each.mean_ms} whole={slowest} /> },
        ]}
      />
      <h2>{words.health.jobs}</h2>
      <Table
        label={words.health.jobs}
        rows={jobs}
        keyOf={({ kind }) => kind}
        empty={words.none}
        columns={[
          { heading: words.health.kind, cell: ({ kind }) => kind.replaceAll('_', ' ') },
          { heading: words.health.isWaiting, cell: (each) => shownNumber(each.waiting), isNumber: true },
          { heading: words.health.isDone, cell: (each) => shownNumber(each.done), isNumber: true },
          { heading: words.health.hasFailed, cell: (each) => shownNumber(each.failed), isNumber: true },
        ]}
      />
      {isOwner.value && (
        <>
          <h2>{words.health.configuration}</h2>
          <Configuration />
        </>
      )}
    </Page>
  );
}
