import { call } from '../connection/call';
import { may as holds } from '../connection/can';
import type { KnownChannel } from '../connection/records';
import { channels, isAdministrator, isOwner, organization } from '../connection/state';
import { Action } from '../parts/action';
import { shownDuration } from '../parts/limit-setting';
import { Members } from '../parts/members';
import { NotFound, Page } from '../parts/page';
import { Rendered } from '../parts/rendered';
import { NotAllowed, type Rights, useRights } from '../parts/rights';
import type { ScreenProperties } from '../parts/screen';
import { Setting } from '../parts/setting';
import { type Limit, limitOf, type PermissionRule, type SettingEntry } from '../parts/setting-table';
import { chosenTab, Tabs } from '../parts/tabs';
import { useFetched } from '../parts/task';
import { ROOT } from '../router';
import * as words from '../words';
import { FolderChoice, OwnSettings, Privacy } from './channel-extras';
import { EmailAddress, receivesMail } from './email-address';
import { SETTINGS } from './settings';
import * as texts from './words';

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

/** Why the user may not change a setting, even if they administer the channel; undefined if they may. */
function reasonAgainst({ name, isForOwners }: SettingEntry, channel: KnownChannel): string | undefined {
  if (isForOwners && !isOwner.value) return words.ownersOnly;
  if (name === 'is_default_stream' && !isAdministrator.value) return texts.administratorsOnly;
  if (name === 'is_default_stream' && (channel.invite_only || channel.is_archived)) return texts.publicOnly;
  const needed = /^can_delete_/.test(name)
    ? 'can_set_delete_message_policy_group'
    : name === 'topics_policy' && 'can_set_topics_policy_group';
  return needed && !holds(needed) ? texts.notAllowedHere : undefined;
}

/** The organization's retention period, also as text. */
function organizationRetention(): { readonly label: string; readonly limit: Limit } {
  const limit = limitOf(organization.value['realm_message_retention_days']);
  const shown =
    typeof limit === 'number'
      ? shownDuration(limit, 'day')
      : texts.settings.message_retention_days.choices.unlimited;
  return { label: texts.byDefault(shown), limit };
}

/** The channel's settings, each with a control of its kind; special controls are placed among them. */
function ChannelSettings({ channel, part, isAllowed }: SettingsProperties) {
  const { stream_id: id } = channel;
  const defaults = (organization.value['realm_default_streams'] ?? []) as readonly number[];
  const values: Readonly<Record<string, unknown>> = {
    ...channel,
    new_name: channel.name,
    is_default_stream: defaults.includes(id),
  };
  const rules = organization.value['server_supported_permission_settings'] as
    Readonly<Record<'stream', Readonly<Record<string, PermissionRule>>>> | undefined;
  const common = { channel, disabled: !isAllowed };
  return (
    <>
      {SETTINGS[part].map(({ title, settings }) => (
        <section key={title}>
          <h2>{texts.sections[title]}</h2>
          {texts.about[title] && <p class="about">{texts.about[title]}</p>}
          {title === 'readers' && <Privacy {...common} />}
          {settings.map((entry: SettingEntry<keyof typeof texts.settings>) => {
            const reason = isAllowed ? reasonAgainst(entry, channel) : undefined;
            return (
              <Setting
                key={entry.name}
                entry={entry}
                words={texts.settings[entry.name]}
                now={values[entry.name]}
                save={(changes) => call('PATCH', `streams/${id}`, changes)}
                isDisabled={!isAllowed || reason !== undefined}
                reason={reason}
                rule={rules?.stream[entry.name]}
                byDefault={organizationRetention()}
              />
            );
          })}
          {title === 'about' && <FolderChoice {...common} />}
        </section>
      ))}
    </>
  );
}

interface SettingsProperties {
  readonly channel: KnownChannel;
  readonly part: keyof typeof SETTINGS;
  readonly isAllowed: boolean;
}

/** Settings, permissions, subscribers and personal settings of a channel. */
export function ChannelSettingsPage({ parameters }: ScreenProperties) {
  const channel = channels.value.get(Number(parameters['channel']));
  const about = `channel=${channel?.stream_id ?? 0}` as const;
  const may = useRights(channel ? about : null);
  if (!channel) return <NotFound />;
  const { stream_id: id, name } = channel;
  const part = chosenTab(texts.tabs) as keyof typeof texts.tabs;
  const isOfSettings = part === 'general' || part === 'permissions';
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
              key="unarchive"
              label={words.channels.unarchive}
              question={words.channels.unarchiveAbout}
              run={() => call('PATCH', `streams/${id}`, { is_archived: false })}
            />
          ) : (
            <Action
              key="archive"
              label={words.channels.archive}
              isDangerous
              question={words.channels.archiveAbout}
              run={() => call('DELETE', `streams/${id}`)}
            />
          )}
        </>
      }
    >
      <Tabs label={words.parts} tabs={texts.tabs} />
      {isOfSettings && may('administer') === false && <NotAllowed about={about} action="administer" />}
      <div class="sections" key={`${id} ${part}`}>
        {isOfSettings ? (
          <>
            <ChannelSettings {...{ channel, part }} isAllowed={may('administer') === true} />
            {part === 'general' && receivesMail() && !channel.is_archived && may('send_message') && (
              <EmailAddress channel={channel} />
            )}
          </>
        ) : part === 'subscribers' ? (
          <Subscribers channel={channel} may={may} />
        ) : (
          <OwnSettings channel={channel} />
        )}
      </div>
    </Page>
  );
}
