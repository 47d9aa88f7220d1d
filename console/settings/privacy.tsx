import { named, Section, SettingCheck, SettingSelect } from './controls';
import { privacy as words } from './words';

/** What others can see about the user. */
export function Privacy() {
  return (
    <>
      <Section title={words.presence}>
        <SettingCheck name="presence_enabled" label={words.presence_enabled} hint={words.presenceAbout} />
        <SettingCheck
          name="send_private_typing_notifications"
          label={words.send_private_typing_notifications}
        />
        <SettingCheck
          name="send_stream_typing_notifications"
          label={words.send_stream_typing_notifications}
        />
        <SettingCheck name="receives_typing_notifications" label={words.receives_typing_notifications} />
      </Section>
      <Section title={words.reading}>
        <SettingCheck name="send_read_receipts" label={words.send_read_receipts} />
      </Section>
      <Section title={words.email}>
        <SettingSelect
          name="email_address_visibility"
          label={words.visibility}
          choices={named(words.visibilities, ['1', '2', '5', '3', '4'])}
        />
      </Section>
    </>
  );
}

/** The user's own privacy settings, which include consent to exports of private data. */
export function OwnPrivacy() {
  return (
    <>
      <Privacy />
      <Section title={words.data}>
        <SettingCheck name="allow_private_data_export" label={words.allow_private_data_export} />
      </Section>
    </>
  );
}
