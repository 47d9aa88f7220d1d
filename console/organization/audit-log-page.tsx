import { useEffect, useState } from 'preact/hooks';
import { companion } from '../connection/call';
import { Button } from '../parts/button';
import { TextField } from '../parts/field';
import { Moment } from '../parts/moment';
import { PersonField } from '../parts/person-field';
import { Page } from '../parts/page';
import { Table } from '../parts/table';
import { useTask } from '../parts/task';
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
  readonly details: object;
}

const FILTERS = ['action', 'actor_id', 'target_user_id'] as const;

/** Who did what, newest first. */
export function AuditLogPage() {
  const [entries, setEntries] = useState<readonly Entry[]>([]);
  const [next, setNext] = useState<string | null>(null);
  const task = useTask();
  const filters = FILTERS.map((name) => [name, query.value.get(name) ?? ''] as const);
  const key = filters.map(([, value]) => value).join(' ');
  const read = (cursor: string | null) =>
    task.run(async () => {
      const asked = new URLSearchParams({ order: 'newest', page_size: '50' });
      for (const [name, value] of filters) if (value) asked.set(name, value);
      if (cursor) asked.set('cursor', cursor);
      const page = await companion<{ items: Entry[]; next_cursor: string | null }>(
        'GET',
        `auth/audit-log?${asked}`,
      );
      setEntries(cursor ? [...entries, ...page.items] : page.items);
      setNext(page.next_cursor);
    });
  useEffect(() => {
    // Nobody wants an answer to each letter of a filter.
    const timer = setTimeout(() => void read(null), 200);
    return () => clearTimeout(timer);
  }, [key]);
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
      {task.error && (
        <p class="error" role="alert">
          {task.error}
        </p>
      )}
      <Table
        label={words.audit.title}
        rows={entries}
        keyOf={({ id }) => id}
        empty={task.isBusy ? words.loading : words.nothingFound}
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
            cell: (each) => {
              const text = JSON.stringify(each.details);
              return text === '{}' ? '–' : <code>{text}</code>;
            },
          },
          {
            heading: words.audit.from,
            cell: (each) => [each.address, each.client].filter(Boolean).join(' · ') || '–',
          },
        ]}
      />
      {next && (
        <Button disabled={task.isBusy} onClick={() => void read(next)}>
          {words.older}
        </Button>
      )}
    </Page>
  );
}
