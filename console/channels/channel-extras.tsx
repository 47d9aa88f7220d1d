import { useState } from 'preact/hooks';
import { call } from '../connection/call';
import { includesMe, may } from '../connection/can';
import type { KnownChannel } from '../connection/records';
import { isAdministrator, organization, settings } from '../connection/state';
import { ColorDialog } from '../menus/color-dialog';
import { Button } from '../parts/button';
import { SelectField, TextField } from '../parts/field';
import { FormDialog } from '../parts/form-dialog';
import { useSaved } from '../parts/setting';
import { useFetched } from '../parts/task';
import { HintedCheck, Section } from '../settings/controls';
import { name as nameLabel } from '../words';
import { folder as folderWords, own as words, privacy as privacyWords } from './words';

interface ChannelProperties {
  readonly channel: KnownChannel;
  readonly disabled: boolean;
}

/** Kinds of privacy in terms of the API. */
const PRIVACY = {
  public: { is_private: false, is_web_public: false, history_public_to_subscribers: true },
  webPublic: { is_private: false, is_web_public: true, history_public_to_subscribers: true },
  shared: { is_private: true, is_web_public: false, history_public_to_subscribers: true },
  protected: { is_private: true, is_web_public: false, history_public_to_subscribers: false },
} as const;

type PrivacyKind = keyof typeof PRIVACY;

function privacyOf(channel: KnownChannel): PrivacyKind {
  if (channel.is_web_public) return 'webPublic';
  if (!channel.invite_only) return 'public';
  return channel.history_public_to_subscribers ? 'shared' : 'protected';
}

/** Why the user may not change the channel to a kind of privacy; undefined if they may. */
function reasonAgainst(kind: PrivacyKind, channel: KnownChannel): string | undefined {
  const isPrivate = PRIVACY[kind].is_private;
  const { unavailable } = privacyWords;
  const reads =
    channel.isSubscribed ||
    includesMe(channel.can_add_subscribers_group) ||
    includesMe(channel.can_subscribe_group);
  if (channel.invite_only && !reads) return unavailable.unread;
  if (
    isPrivate &&
    (organization.value['realm_default_streams'] as readonly number[]).includes(channel.stream_id)
  )
    return unavailable.isDefault;
  if (
    isPrivate !== channel.invite_only &&
    !may(isPrivate ? 'can_create_private_channel_group' : 'can_create_public_channel_group')
  )
    return isPrivate ? unavailable.mayNotPrivate : unavailable.mayNotPublic;
  if (kind !== 'webPublic' || channel.is_web_public) return undefined;
  const isOffered =
    organization.value['server_web_public_streams_enabled'] === true &&
    organization.value['realm_enable_spectator_access'] === true;
  if (!isOffered) return privacyWords.notOffered;
  return may('can_create_web_public_channel_group') ? undefined : unavailable.mayNotWebPublic;
}

/** Chooses who can find and read the channel. Refused kinds are disabled, and the hint gives the reason. */
export function Privacy({ channel, disabled }: ChannelProperties) {
  const now = privacyOf(channel);
  const { value, set, error } = useSaved(now, (kind) =>
    call('PATCH', `streams/${channel.stream_id}`, PRIVACY[kind as PrivacyKind]),
  );
  const kinds = Object.keys(PRIVACY) as PrivacyKind[];
  const reasons = new Map(
    kinds.map((kind) => [kind, kind === now ? undefined : reasonAgainst(kind, channel)]),
  );
  return (
    <SelectField
      label={privacyWords.label}
      hint={disabled ? undefined : [...new Set(reasons.values())].filter(Boolean).join(' ') || undefined}
      {...{ error, disabled }}
      value={String(value)}
      choices={kinds.map((kind) => ({
        value: kind,
        label: privacyWords.kinds[kind],
        isDisabled: reasons.get(kind) !== undefined,
      }))}
      onValue={set}
    />
  );
}

interface Folder {
  readonly id: number;
  readonly name: string;
}

const ADD = 'add';

/** Chooses the channel's folder. Administrators can add folders. */
export function FolderChoice({ channel, disabled }: ChannelProperties) {
  const [isAdding, setAdding] = useState(false);
  const [name, setName] = useState('');
  const {
    value: found,
    error: fetchError,
    reload,
  } = useFetched(() => call<{ channel_folders: readonly Folder[] }>('GET', 'channel_folders'), []);
  const { value, set, error } = useSaved(channel.folder_id ?? null, (folder_id) =>
    call('PATCH', `streams/${channel.stream_id}`, { folder_id }),
  );
  const add = async () => {
    const made = await call<{ channel_folder_id: number }>('POST', 'channel_folders/create', {
      name,
      description: '',
    });
    reload();
    set(made.channel_folder_id);
  };
  const choices = [
    { value: '', label: folderWords.none },
    ...(found?.channel_folders ?? []).map((each) => ({ value: String(each.id), label: each.name })),
    ...(isAdministrator.value ? [{ value: ADD, label: folderWords.add }] : []),
  ];
  return (
    <>
      <SelectField
        label={folderWords.label}
        hint={folderWords.hint}
        error={error ?? (fetchError || undefined)}
        disabled={disabled || found === null}
        value={value === null ? '' : JSON.stringify(value)}
        choices={choices}
        onValue={(chosen) => {
          if (chosen !== ADD) return set(chosen === '' ? null : Number(chosen));
          setName('');
          setAdding(true);
        }}
      />
      {isAdding && (
        <FormDialog
          title={folderWords.title}
          action={folderWords.create}
          onSubmit={add}
          onClose={() => setAdding(false)}
        >
          <TextField label={nameLabel} value={name} onValue={setName} required maxLength={60} />
        </FormDialog>
      )}
    </>
  );
}

/** Saves a personal property of the channel. */
function useOwn(channel: KnownChannel, property: keyof KnownChannel) {
  return useSaved(channel[property] ?? null, (value) =>
    call('POST', 'users/me/subscriptions/properties', {
      subscription_data: [{ stream_id: channel.stream_id, property, value }],
    }),
  );
}

function OwnSwitch({ channel, property }: { channel: KnownChannel; property: 'is_muted' | 'pin_to_top' }) {
  const { value, set, error } = useOwn(channel, property);
  return (
    <HintedCheck
      label={words[property]}
      hint={property === 'is_muted' ? words.is_muted_hint : undefined}
      error={error ?? ''}
      checked={value === true}
      onChecked={set}
    />
  );
}

/** Notification settings of the channel, and the personal settings that apply by default. */
const NOTIFICATIONS = {
  desktop_notifications: 'enable_stream_desktop_notifications',
  audible_notifications: 'enable_stream_audible_notifications',
  push_notifications: 'enable_stream_push_notifications',
  email_notifications: 'enable_stream_email_notifications',
  wildcard_mentions_notify: 'wildcard_mentions_notify',
} as const;

function OwnNotification({
  channel,
  property,
}: {
  channel: KnownChannel;
  property: keyof typeof NOTIFICATIONS;
}) {
  const { value, set, error } = useOwn(channel, property);
  return (
    <SelectField
      label={words[property]}
      error={error}
      value={JSON.stringify(value)}
      choices={[
        // The API cannot return a channel to the default.
        ...(value === null
          ? [{ value: 'null', label: words.asElsewhere(settings.value[NOTIFICATIONS[property]] === true) }]
          : []),
        { value: 'true', label: words.on },
        { value: 'false', label: words.off },
      ]}
      onValue={(chosen) => set(JSON.parse(chosen))}
    />
  );
}

/** The user's personal settings of the channel. */
export function OwnSettings({ channel }: { readonly channel: KnownChannel }) {
  const [isColoring, setColoring] = useState(false);
  if (!channel.isSubscribed) return <p class="empty">{words.notSubscribed}</p>;
  return (
    <>
      <p class="about">{words.about}</p>
      <OwnSwitch channel={channel} property="is_muted" />
      <OwnSwitch channel={channel} property="pin_to_top" />
      <div class="actions">
        <span class="swatch" style={{ '--channel': channel.color ?? '' }} />
        <Button onClick={() => setColoring(true)}>{words.choose}</Button>
      </div>
      {isColoring && <ColorDialog channel={channel} onClose={() => setColoring(false)} />}
      <Section title={words.notifications} about={words.notificationsAbout}>
        {(Object.keys(NOTIFICATIONS) as (keyof typeof NOTIFICATIONS)[]).map((property) => (
          <OwnNotification key={property} {...{ channel, property }} />
        ))}
      </Section>
    </>
  );
}
