import {
  PERSONAL_SETTING_NAMES,
  personalSetting,
  type PersonalSettings,
} from '../../../../users/users.module';

/** Settings that came after the release whose columns the archive has. */
const LATER: ReadonlySet<keyof PersonalSettings> = new Set<keyof PersonalSettings>([
  'resolved_topic_notice_auto_read_policy',
  'web_inbox_show_channel_folders',
  'web_left_sidebar_show_channel_folders',
  'web_left_sidebar_unreads_count_summary',
]);

/** Words that the archive spells in another way. */
const FORMER_WORDS: Readonly<Record<string, string>> = { recent: 'recent_topics' };

/**
 * Personal settings in the words of the archive.
 * @param chosen settings that differ from their initial values
 * @param emailVisibility visibility of the real address
 */
export function accountSettings(
  chosen: Readonly<Record<string, unknown>>,
  emailVisibility: number,
): Record<string, unknown> {
  const settings: Record<string, unknown> = { email_address_visibility: emailVisibility };
  for (const name of PERSONAL_SETTING_NAMES) {
    if (LATER.has(name)) continue;
    const value = personalSetting(chosen, name);
    settings[name] = name === 'web_home_view' ? (FORMER_WORDS[String(value)] ?? value) : value;
  }
  return settings;
}
