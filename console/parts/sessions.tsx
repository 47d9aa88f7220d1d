import { companion } from '../connection/call';
import * as words from '../words';
import { Action } from './action';
import { Moment } from './moment';
import { programName } from './program';
import { Table } from './table';
import { useFetched } from './task';

interface Session {
  readonly id: number;
  readonly created_at: number;
  readonly last_used_at: number;
  readonly address: string;
  readonly user_agent: string;
  readonly is_current: boolean;
}

interface SessionsProperties {
  /** Path of the sessions in the API. */
  readonly path: string;
  /** Label of the button that ends all sessions, or all others. */
  readonly endAll: string;
}

/** A user's sessions, with buttons to end them. */
export function Sessions({ path, endAll }: SessionsProperties) {
  const { value, error, reload } = useFetched(
    () => companion<{ items: Session[] }>('GET', `${path}?page_size=100`),
    [path],
  );
  const end = async (which: string) => {
    await companion('DELETE', path + which);
    reload();
  };
  return (
    <>
      {error && <p class="error">{error}</p>}
      {value && (
        <Table
          label={words.people.sessions}
          rows={value.items}
          keyOf={({ id }) => id}
          empty={words.people.noSessions}
          columns={[
            {
              heading: words.people.program,
              cell: (each) => <span title={each.user_agent}>{programName(each.user_agent)}</span>,
            },
            { heading: words.people.since, cell: (each) => <Moment seconds={each.created_at} /> },
            { heading: words.people.lastUsed, cell: (each) => <Moment seconds={each.last_used_at} /> },
            { heading: words.audit.from, cell: (each) => each.address },
            {
              heading: words.action,
              cell: (each) =>
                each.is_current ? (
                  words.people.thisSession
                ) : (
                  <Action
                    label={words.people.end}
                    question={words.people.endAbout}
                    run={() => end(`/${each.id}`)}
                  />
                ),
            },
          ]}
        />
      )}
      {value && value.items.length > 1 && (
        <Action label={endAll} question={words.people.endAbout} run={() => end('')} />
      )}
    </>
  );
}
