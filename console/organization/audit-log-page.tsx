import { useEffect, useState } from 'preact/hooks';
import { companion } from '../connection/call';
import { Button } from '../parts/button';
import { TextField } from '../parts/field';
import { shownTime } from '../parts/format';
import { Moment } from '../parts/moment';
import { PersonField } from '../parts/person-field';
import { Page } from '../parts/page';
import { Problem } from '../parts/problem';
import { Table } from '../parts/table';
import { useTask } from '../parts/task';
import { roleName } from '../people/people-page';
import { query, setQuery } from '../router';
import * as words from '../words';

interface Entry {
  readonly id: number;
  readonly created_at: number;
  readonly way: string;
  readonly address: string;
  readonly client: string;
  readonly actor_id: number | null;
  readonly actor_name: string | null;
  readonly action: string;
  readonly target_user_id: number | null;
  readonly target_user_name: string | null;
  readonly target_id: number | null;
  readonly details: Readonly<Record<string, unknown>>;
}

const FILTERS = ['action', 'actor_id', 'target_user_id'] as const;

/** A detail as people read it; empty for what says nothing. */
function detailText(action: string, name: string, value: unknown): string {
  if (typeof value === 'boolean') return value ? words.audit.yes : words.audit.no;
  if (typeof value === 'number') {
    if (name === 'role' || action === 'user.role_changed') return roleName(value);
    return name.endsWith('_at') ? shownTime(value) : String(value);
  }
  if (typeof value === 'string') return value;
  if (typeof value !== 'object' || value === null) return '';
  const parts = Object.entries(value).map(([key, each]) => {
    const text = detailText(action, key, each);
    return Array.isArray(value) ? text : `${key.replaceAll('_', ' ')} ${text}`;
  });
  return parts.join(', ');
}

/** The entries that fit, newest first. */
function Entries({ filter }: { readonly filter: string }) {
  const [entries, setEntries] = useState<readonly Entry[] | null>(null);
  const [next, setNext] = useState<string | null>(null);
  const task = useTask();
  const read = (cursor: string) =>
    task.run(async () => {
      const page = await companion<{ items: Entry[]; next_cursor: string | null }>(
        'GET',
        `auth/audit-log?${filter}&order=newest&page_size=50${cursor}`,
      );
      setEntries((known) => [...(known ?? []), ...page.items]);
      setNext(page.next_cursor);
    });
  useEffect(() => {
    // Waits for a pause in typing.
    const timer = setTimeout(() => void read(''), 200);
    return () => clearTimeout(timer);
  }, []);
  return (
    <>
      <Problem text={task.error} />
      {(entries || !task.error) && (
        <Table
          label={words.audit.title}
          rows={entries ?? []}
          keyOf={({ id }) => id}
          empty={entries ? words.nothingFound : words.loading}
          columns={[
            { heading: words.time, cell: (each) => <Moment seconds={each.created_at} /> },
            {
              heading: words.audit.who,
              cell: (each) => each.actor_name ?? (each.actor_id === null ? each.way : `#${each.actor_id}`),
            },
            { heading: words.action, cell: (each) => each.action },
            {
              heading: words.audit.what,
              cell: (each) => each.target_user_name ?? (each.target_id === null ? '–' : `#${each.target_id}`),
            },
            {
              heading: words.audit.details,
              cell: ({ action, details }) =>
                Object.entries(details)
                  .map(([name, value]) => [name.replaceAll('_', ' '), detailText(action, name, value)])
                  .filter(([, text]) => text !== '')
                  .map(([name, text]) => (
                    <div key={name}>
                      {name}: <bdi>{text}</bdi>
                    </div>
                  )),
            },
            {
              heading: words.audit.from,
              cell: (each) => [each.address, each.client].filter(Boolean).join(' · ') || '–',
            },
          ]}
        />
      )}
      {next && (
        <Button disabled={task.isBusy} onClick={() => void read(`&cursor=${encodeURIComponent(next)}`)}>
          {words.older}
        </Button>
      )}
    </>
  );
}

/** Who did what. */
export function AuditLogPage() {
  const filters = FILTERS.map((name) => [name, query.value.get(name) ?? ''] as [typeof name, string]);
  const filter = String(new URLSearchParams(filters.filter(([, value]) => value)));
  return (
    <Page title={words.audit.title} about={words.audit.about}>
      <div class="row">
        {filters.map(([name, value]) => {
          const Control = name === 'action' ? TextField : PersonField;
          return (
            <Control
              key={name}
              label={words.audit.filters[name]}
              value={value}
              placeholder="user.role_changed"
              onValue={(entered) => setQuery({ [name]: entered })}
            />
          );
        })}
      </div>
      {/* What comes late, or goes wrong, after another question was asked is gone with the component that asked. */}
      <Entries key={filter} filter={filter} />
    </Page>
  );
}
