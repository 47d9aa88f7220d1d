import { companion } from '../connection/call';
import { Action } from '../parts/action';
import { Moment } from '../parts/moment';
import { Problem } from '../parts/problem';
import { programName } from '../parts/program';
import { Sessions } from '../parts/sessions';
import { Table } from '../parts/table';
import { useFetched } from '../parts/task';
import { action, audit, people } from '../words';
import { Section } from './controls';
import { devices as words } from './words';

const PATH = 'auth/remembered-browsers';

interface Browser {
  readonly id: number;
  /** 0 if unknown. */
  readonly created_at: number;
  readonly last_used_at: number | null;
  readonly address: string;
  readonly user_agent: string;
  readonly is_current: boolean;
}

/** Browsers that skip the second factor; nothing if there are none. */
function RememberedBrowsers() {
  const { value, error, reload } = useFetched(
    () => companion<{ items: Browser[] }>('GET', `${PATH}?page_size=100`),
    [],
  );
  const forget = async (which: string) => {
    await companion('DELETE', PATH + which);
    reload();
  };
  if (!value?.items.length) return <Problem text={error} />;
  return (
    <Section title={words.remembered} about={words.rememberedAbout}>
      <Table
        label={words.remembered}
        rows={value.items}
        keyOf={({ id }) => id}
        empty=""
        columns={[
          {
            heading: people.program,
            cell: (each) => (
              <>
                <span title={each.user_agent}>{programName(each.user_agent)}</span>
                {each.is_current && ` (${words.thisBrowser})`}
              </>
            ),
          },
          {
            heading: words.since,
            cell: (each) => each.created_at > 0 && <Moment seconds={each.created_at} />,
          },
          {
            heading: people.lastUsed,
            cell: (each) => each.last_used_at !== null && <Moment seconds={each.last_used_at} />,
          },
          { heading: audit.from, cell: (each) => each.address },
          {
            heading: action,
            cell: (each) => (
              <Action label={words.forget} question={words.forgetAbout} run={() => forget(`/${each.id}`)} />
            ),
          },
        ]}
      />
      {value.items.length > 1 && (
        <Action label={words.forgetAll} question={words.forgetAbout} run={() => forget('')} />
      )}
    </Section>
  );
}

/** The user's sessions, and browsers that skip the second factor. */
export function Devices() {
  return (
    <>
      <Sessions path="auth/sessions" endAll={words.endAll} />
      <RememberedBrowsers />
    </>
  );
}
