import { call } from '../connection/call';
import type { KnownChannel } from '../connection/records';
import { channels } from '../connection/state';
import { Action } from '../parts/action';
import { DescribedSettings } from '../parts/described-settings';
import { Members } from '../parts/members';
import { NotFound, Page } from '../parts/page';
import { Rendered } from '../parts/rendered';
import { NotAllowed, type Rights, useRights } from '../parts/rights';
import type { ScreenProperties } from '../parts/screen';
import { chosenTab, Tabs } from '../parts/tabs';
import { useFetched } from '../parts/task';
import { ROOT } from '../router';
import * as words from '../words';

const { tabs } = words.channels;

function Subscribers({ channel, may }: { readonly channel: KnownChannel; readonly may: Rights }) {
  const { stream_id: id, name } = channel;
  const { value, error, reload } = useFetched(
    () => call<{ subscribers: number[] }>('GET', `streams/${id}/members`),
    [id],
  );
  if (!value) return <p class={error ? 'error' : 'empty'}>{error || words.loading}</p>;
  const add = async (userId: number) => {
    await call('POST', 'users/me/subscriptions', { subscriptions: [{ name }], principals: [userId] });
    reload();
  };
  const remove = async (userId: number) => {
    await call('DELETE', 'users/me/subscriptions', { subscriptions: [name], principals: [userId] });
    reload();
  };
  return (
    <Members
      userIds={value.subscribers}
      about={`channel=${id}`}
      may={{
        add: may('add_subscribers'),
        remove: may('remove_subscribers'),
        join: may('subscribe'),
        leave: true,
      }}
      add={add}
      remove={remove}
    />
  );
}

/** The settings of a channel, who may do what in it, and who reads it. */
export function ChannelSettingsPage({ parameters }: ScreenProperties) {
  const channel = channels.value.get(Number(parameters['channel']));
  const about = `channel=${channel?.stream_id ?? 0}` as const;
  const may = useRights(channel ? about : null);
  if (!channel) return <NotFound />;
  const { stream_id: id, name } = channel;
  const part = chosenTab(tabs);
  const values = { ...channel, new_name: name, is_private: channel.invite_only };
  return (
    <Page
      title={`#${name}`}
      about={<Rendered html={channel.rendered_description} />}
      actions={
        <>
          <a class="button" href={`${ROOT}/channels/${id}`}>
            {words.channels.read}
          </a>
          <a class="button" href={`${ROOT}/why?channel=${id}`}>
            {words.why.title}
          </a>
          {!may('administer') ? null : channel.is_archived ? (
            <Action
              label={words.channels.unarchive}
              question={words.channels.unarchiveAbout}
              run={() => call('PATCH', `streams/${id}`, { is_archived: false })}
            />
          ) : (
            <Action
              label={words.channels.archive}
              isDangerous
              question={words.channels.archiveAbout}
              run={() => call('DELETE', `streams/${id}`)}
            />
          )}
        </>
      }
    >
      <Tabs label={words.parts} tabs={tabs} />
      {may('administer') === false && <NotAllowed about={about} action="administer" />}
      {part === 'subscribers' ? (
        <Subscribers channel={channel} may={may} />
      ) : (
        <DescribedSettings
          key={part}
          isAllowed={may('administer')}
          endpoint="/api/v1/streams/{stream_id}"
          kind={part === 'permissions' ? 'permissions' : 'properties'}
          values={values}
          save={(changes) => call('PATCH', `streams/${id}`, changes)}
        />
      )}
    </Page>
  );
}
