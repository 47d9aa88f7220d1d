import { useState } from 'preact/hooks';
import { call } from '../connection/call';
import { Action } from '../parts/action';
import { Button } from '../parts/button';
import { TextField } from '../parts/field';
import { Page } from '../parts/page';
import { announce } from '../parts/status';
import { Table } from '../parts/table';
import { useFetched, useTask } from '../parts/task';
import * as words from '../words';
import { tryLinkifier } from './linkifier-trial';

interface Linkifier {
  readonly id: number;
  readonly pattern: string;
  readonly url_template: string;
}

function Trial(given: { readonly pattern: string; readonly template: string; readonly text: string }) {
  const trial = tryLinkifier(given.pattern, given.template, given.text);
  if ('error' in trial) return <p class="error">{trial.error}</p>;
  if (trial.links.length === 0) return <p class="empty">{words.linkifiers.noLinks}</p>;
  return (
    <ul>
      {trial.links.map(({ text, url }, index) => (
        <li key={index}>
          <code>{text}</code> → <code>{url}</code>
        </li>
      ))}
    </ul>
  );
}

function Form({ onAdded }: { readonly onAdded: () => void }) {
  const [pattern, setPattern] = useState('#(?P<id>[0-9]+)');
  const [template, setTemplate] = useState('https://example.com/issues/{id}');
  const [text, setText] = useState(words.linkifiers.sample);
  const task = useTask();
  const add = async () => {
    await call('POST', 'realm/filters', { pattern, url_template: template });
    announce(words.saved);
    onAdded();
  };
  return (
    <form onSubmit={() => void task.run(add)}>
      <h2>{words.linkifiers.add}</h2>
      <TextField
        label={words.linkifiers.pattern}
        hint={words.linkifiers.patternAbout}
        error={task.error || undefined}
        value={pattern}
        onValue={setPattern}
        required
      />
      <TextField
        label={words.linkifiers.template}
        hint={words.linkifiers.templateAbout}
        value={template}
        onValue={setTemplate}
        required
      />
      <TextField label={words.linkifiers.trial} value={text} onValue={setText} />
      <div aria-live="polite">
        <Trial {...{ pattern, template, text }} />
      </div>
      <Button kind="main" type="submit" disabled={task.isBusy}>
        {words.add}
      </Button>
    </form>
  );
}

/** Linkifiers, which turn matching text into links. */
export function LinkifiersPage() {
  const { value, error, reload } = useFetched(
    () => call<{ linkifiers: Linkifier[] }>('GET', 'realm/linkifiers'),
    [],
  );
  const remove = async (id: number) => {
    await call('DELETE', `realm/filters/${id}`);
    reload();
  };
  return (
    <Page title={words.linkifiers.title} about={words.linkifiers.about}>
      {error && <p class="error">{error}</p>}
      {value && (
        <Table
          label={words.linkifiers.title}
          rows={value.linkifiers}
          keyOf={({ id }) => id}
          empty={words.noneYet.linkifiers}
          columns={[
            { heading: words.linkifiers.pattern, cell: (each) => <code>{each.pattern}</code> },
            { heading: words.linkifiers.template, cell: (each) => <code>{each.url_template}</code> },
            {
              heading: words.action,
              cell: (each) => (
                <Action
                  label={words.erase}
                  isDangerous
                  question={words.linkifiers.deleteAbout(each.pattern)}
                  run={() => remove(each.id)}
                />
              ),
            },
          ]}
        />
      )}
      <Form onAdded={reload} />
    </Page>
  );
}
