import { useEffect, useState } from 'preact/hooks';
import { call } from '../connection/call';
import { nameOf } from '../connection/state';
import { Action } from '../parts/action';
import { Button } from '../parts/button';
import { SelectField } from '../parts/field';
import { FormDialog } from '../parts/form-dialog';
import { Moment } from '../parts/moment';
import { Page } from '../parts/page';
import { Problem } from '../parts/problem';
import { Table } from '../parts/table';
import { useFetched } from '../parts/task';
import * as words from '../words';

/** Interval of checks whether an archive is finished. */
const EVERY_MS = 1_000;

type Content = keyof typeof words.exports.contents;

interface Export {
  readonly id: number;
  readonly acting_user_id: number;
  readonly export_time: number;
  readonly deleted_timestamp: number | null;
  readonly failed_timestamp: number | null;
  readonly export_url: string | null;
  readonly pending: boolean;
  readonly export_type: Content;
}

const stateOf = (each: Export) =>
  words.exports.states[
    each.pending
      ? 'pending'
      : each.failed_timestamp !== null
        ? 'failed'
        : each.deleted_timestamp !== null
          ? 'deleted'
          : 'ready'
  ];

/** Chooses the content of an archive, and shows how many users consent to exporting private data. */
function ExportDialog({ onClose, onAsked }: { readonly onClose: () => void; readonly onAsked: () => void }) {
  const [content, setContent] = useState<Content>('public');
  const { value, error } = useFetched(
    () => call<{ export_consents: { consented: boolean }[] }>('GET', 'export/realm/consents'),
    [],
  );
  const consents = value?.export_consents ?? [];
  const start = async () => {
    await call('POST', 'export/realm', { export_type: content });
    onAsked();
  };
  return (
    <FormDialog title={words.exports.start} action={words.exports.start} onSubmit={start} onClose={onClose}>
      <SelectField
        label={words.exports.content}
        hint={
          value && content !== 'public'
            ? words.exports.consents(consents.filter(({ consented }) => consented).length, consents.length)
            : undefined
        }
        value={content}
        choices={(Object.keys(words.exports.contents) as Content[]).map((value) => ({
          value,
          label: words.exports.contents[value],
        }))}
        onValue={(chosen) => setContent(chosen as Content)}
      />
      <Problem text={error} />
    </FormDialog>
  );
}

/** Lists archives of the organization, and requests new ones. */
export function ExportsPage() {
  const [isAsking, setAsking] = useState(false);
  const { value, error, reload } = useFetched(() => call<{ exports: Export[] }>('GET', 'export/realm'), []);
  const isPending = value?.exports.some(({ pending }) => pending) ?? false;
  useEffect(() => {
    if (!isPending) return;
    const timer = setTimeout(reload, EVERY_MS);
    return () => clearTimeout(timer);
  }, [value, error]);
  const remove = async (id: number) => {
    await call('DELETE', `export/realm/${id}`);
    reload();
  };
  return (
    <Page
      title={words.exports.title}
      about={words.exports.about}
      actions={
        <Button kind="main" icon="plus" onClick={() => setAsking(true)}>
          {words.exports.start}
        </Button>
      }
    >
      <Problem text={error} />
      {value && (
        <Table
          label={words.exports.title}
          rows={value.exports.toReversed()}
          keyOf={({ id }) => id}
          empty={words.noneYet.exports}
          columns={[
            { heading: words.exports.at, cell: (each) => <Moment seconds={each.export_time} /> },
            { heading: words.exports.by, cell: (each) => nameOf(each.acting_user_id) },
            { heading: words.exports.content, cell: (each) => words.exports.contents[each.export_type] },
            { heading: words.exports.state, cell: stateOf },
            {
              heading: words.action,
              cell: ({ id, export_url: url }) =>
                url !== null && (
                  <div class="actions">
                    <a class="button" href={new URL(url).pathname} download>
                      {words.exports.download}
                    </a>
                    <Action
                      label={words.erase}
                      isDangerous
                      question={words.exports.deleteAbout}
                      run={() => remove(id)}
                    />
                  </div>
                ),
            },
          ]}
        />
      )}
      {isAsking && <ExportDialog onClose={() => setAsking(false)} onAsked={reload} />}
    </Page>
  );
}
