import * as channelWords from '../channels/words';
import { call } from '../connection/call';
import { channels, groups, isAdministrator, myId, nameOf, people } from '../connection/state';
import * as groupWords from '../groups/words';
import * as organizationWords from '../organization/words';
import { SelectField } from '../parts/field';
import { groupName } from '../parts/group-setting-field';
import { Page } from '../parts/page';
import { Table } from '../parts/table';
import { useFetched } from '../parts/task';
import { query, ROOT, setQuery } from '../router';
import * as words from '../words';

interface Step {
  readonly kind: 'setting' | 'group' | 'fact';
  readonly name: string | null;
  readonly group_id: number | null;
}

interface ExplainedAction {
  readonly action: string;
  readonly allowed: boolean;
  readonly steps: readonly Step[];
}

type Kind = 'organization' | 'channel' | 'group';

/** The object of the question in the URL. */
function asked(): { readonly kind: Kind; readonly id: number } {
  const found = (['channel', 'group'] as const).find((kind) => query.value.has(kind));
  return found ? { kind: found, id: Number(query.value.get(found)) } : { kind: 'organization', id: 0 };
}

/** Labels of permissions on their settings pages. */
const LABELS: Readonly<Record<Kind, Readonly<Record<string, { readonly label: string }>>>> = {
  organization: organizationWords.settings,
  channel: channelWords.settings,
  group: groupWords.settings,
};
const labelOf = (kind: Kind, name: string) => LABELS[kind][name]?.label;

const inWords = (kind: Kind, name: string) =>
  labelOf(kind, name) ?? name.replace(/_group$/, '').replaceAll('_', ' ');

/** URL of the page with the setting of a step. */
function settingsOf({ kind, id }: ReturnType<typeof asked>): string {
  const place = { organization: 'organization', channel: `channel-settings/${id}`, group: `groups/${id}` };
  return `${ROOT}/${place[kind]}?part=permissions`;
}

function Reason({ step, place }: { readonly step: Step; readonly place: ReturnType<typeof asked> }) {
  if (step.kind === 'group') {
    if (step.group_id === null) return <>{words.why.chosen}</>;
    const group = groups.value.get(step.group_id);
    return (
      <>
        {words.why.group}{' '}
        <a href={`${ROOT}/groups/${step.group_id}`}>{group ? groupName(group) : step.name}</a>
      </>
    );
  }
  if (step.kind === 'setting') {
    return (
      <>
        {words.why.setting} <a href={settingsOf(place)}>{inWords(place.kind, step.name!)}</a>
      </>
    );
  }
  return <>{step.name}</>;
}

function objects(kind: Kind) {
  const list =
    kind === 'channel'
      ? [...channels.value.values()].map(({ stream_id: id, name }) => ({
          value: String(id),
          label: `#${name}`,
        }))
      : [...groups.value.values()]
          .filter(({ is_system_group: isSystem }) => !isSystem)
          .map((group) => ({ value: String(group.id), label: groupName(group) }));
  return list.sort((one, other) => one.label.localeCompare(other.label));
}

/** Explains whether a person may do something, and why. */
export function WhyPage() {
  const place = asked();
  const user = isAdministrator.value ? Number(query.value.get('user') ?? myId.value) : myId.value;
  const question = `${user} ${place.kind} ${place.id}`;
  const { value, error } = useFetched(async () => {
    const { actions } = await call<{ actions: ExplainedAction[] }>('GET', 'permissions/actions', {
      user_id: user,
      ...(place.kind !== 'organization' && { [`${place.kind}_id`]: place.id }),
    });
    // Some settings of the organization have no effect here, and are on no page.
    const named = ({ action }: ExplainedAction) =>
      place.kind !== 'organization' || labelOf(place.kind, action) !== undefined;
    return { question, actions: actions.filter(named) };
  }, [question, people.value, groups.value, channels.value]);
  // Ignores the response to a previous question.
  const all = value?.question === question ? value.actions : [];
  const action = all.find((each) => each.action === query.value.get('action')) ?? all[0];
  const choose = (kind: Kind) =>
    setQuery({
      channel: '',
      group: '',
      action: '',
      ...(kind !== 'organization' && { [kind]: objects(kind)[0]?.value ?? '' }),
    });
  const persons = [...people.value.values()].filter(
    (each) => each.user_id === user || (isAdministrator.value && each.is_active !== false),
  );
  return (
    <Page title={words.why.title} about={words.why.about}>
      <div class="row">
        <SelectField
          label={words.why.person}
          value={String(user)}
          choices={persons.map((each) => ({ value: String(each.user_id), label: each.full_name }))}
          onValue={(chosen) => setQuery({ user: chosen })}
        />
        <SelectField
          label={words.why.object}
          value={place.kind}
          choices={Object.entries(words.why.kinds).map(([kind, label]) => ({ value: kind, label }))}
          onValue={(kind) => choose(kind as Kind)}
        />
        {place.kind !== 'organization' && (
          <SelectField
            label={words.why.kinds[place.kind]}
            value={String(place.id)}
            choices={objects(place.kind)}
            onValue={(id) => setQuery({ [place.kind]: id })}
          />
        )}
        <SelectField
          label={words.action}
          value={action?.action ?? ''}
          choices={all.map((each) => ({ value: each.action, label: inWords(place.kind, each.action) }))}
          onValue={(chosen) => setQuery({ action: chosen })}
        />
      </div>
      {/* Rendered before the response, so that screen readers announce its change. */}
      <section class="verdict" aria-live="polite">
        {action && !error ? (
          <>
            <h2>
              {action.allowed ? `✓ ${words.why.yes}` : `✗ ${words.why.no}`}{' '}
              {(labelOf(place.kind, action.action) ? words.why.permitted : words.why.sentence)(
                nameOf(user),
                action.allowed,
                inWords(place.kind, action.action),
              )}
            </h2>
            <ol>
              {action.steps.map((step, index) => (
                <li key={index}>
                  <Reason step={step} place={place} />
                </li>
              ))}
            </ol>
          </>
        ) : (
          <p class={error ? 'error' : 'empty'}>{error || words.loading}</p>
        )}
      </section>
      {all.length > 0 && (
        <Table
          label={words.why.all}
          rows={all}
          keyOf={(each) => each.action}
          empty={words.none}
          columns={[
            {
              heading: words.action,
              cell: (each) => (
                <button type="button" class="button quiet" onClick={() => setQuery({ action: each.action })}>
                  {inWords(place.kind, each.action)}
                </button>
              ),
            },
            {
              heading: words.why.allowed,
              cell: (each) => (each.allowed ? `✓ ${words.why.yes}` : `✗ ${words.why.no}`),
            },
          ]}
        />
      )}
    </Page>
  );
}
