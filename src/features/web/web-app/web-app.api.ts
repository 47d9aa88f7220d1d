import { type Language, localeOf } from './build/languages';
import { PathParameter } from '../../../platform/http/parameters/parameter.decorator';
import { text } from '../../../platform/http/parameters/text';

/** What the page tells the app in its parameters. */
export interface PageFacts {
  readonly languageCode: string;
  readonly languages: readonly Language[];
  /** By the text in English. */
  readonly translations: Readonly<Record<string, string>>;
  /** As HTML. */
  readonly renderedDescription: string;
  readonly appsPage: string;
  readonly signInPage: string;
  /** The state that a client gets that registers; null where the app is to ask for it. */
  readonly state: Readonly<Record<string, unknown>> | null;
  /** Where the window shows one conversation. */
  readonly narrow: readonly WindowTerm[];
}

/** A condition that messages of a window fulfil. */
export interface WindowTerm {
  readonly operator: 'stream' | 'topic';
  readonly operand: string;
}

/** What the app asserts. */
export const PRESENCE_DAYS = 365;

/** What the app can do, as it would say if it registered itself. */
export const APP_CAPABILITIES: readonly string[] = [
  'notification_settings_null',
  'bulk_message_deletion',
  'user_avatar_url_field_optional',
  'stream_typing_notifications',
  'user_settings_object',
  'linkifier_url_template',
  'user_list_incomplete',
  'include_deactivated_groups',
  'archived_channels',
  'empty_topic_name',
  'simplified_presence_events',
];

/** What this server has none of; apps of some releases stop where one of these is missing. */
const ABSENT = {
  development_environment: false,
  test_suite: false,
  corporate_enabled: false,
  embedded_bots_enabled: false,
  promote_sponsoring_zulip: false,
  two_fa_enabled: false,
  two_fa_enabled_user: false,
  warn_no_email: false,
  insecure_desktop_app: false,
  show_webathena: false,
  show_try_zulip_modal: false,
  non_workplace_pricing_eligible: false,
  is_cloud_realm_with_discounted_plan: false,
  is_spectator: false,
  furthest_read_time: null,
} as const;

/** The parameters of the page, for every release that is known: what an app does not know it leaves aside. */
export function pageParametersWire(facts: PageFacts): object {
  const [channel, topic] = ['stream', 'topic'].map(
    (wanted) => facts.narrow.find(({ operator }) => operator === wanted)?.operand,
  );
  return {
    page_type: 'home',
    ...ABSENT,
    request_language: facts.languageCode,
    language_list: facts.languages,
    translation_data: facts.translations,
    apps_page_url: facts.appsPage,
    login_page: facts.signInPage,
    no_event_queue: facts.state === null,
    presence_history_limit_days_for_web_app: PRESENCE_DAYS,
    realm_rendered_description: facts.renderedDescription,
    state_data: facts.state === null ? null : withoutEnvelope(facts.state),
    ...(facts.narrow.length > 0 && { narrow: facts.narrow }),
    ...(channel !== undefined && { narrow_stream: channel }),
    ...(topic !== undefined && { narrow_topic: topic }),
  };
}

/** Channels are in the state under other keys, too, which the app reads. */
function withoutEnvelope(state: Readonly<Record<string, unknown>>): object {
  const { result: _result, msg: _msg, streams: _streams, ...rest } = state;
  return rest;
}

/** The locale of a language that the build has; English otherwise. */
export function localeIn(languages: readonly Language[], languageCode: string): string {
  const known = languages.find(({ code }) => code === languageCode);
  return known ? localeOf(known.code) : 'en';
}

/** What the template of the page asks for by name. */
export function shellNamesWire(values: { readonly colorScheme: number; readonly userAgent: string }) {
  return {
    color_scheme: String(values.colorScheme),
    enable_gravatar: true,
    is_firefox_android: /Android.*Firefox/.test(values.userAgent),
    has_web_public_streams: false,
    embedded: false,
  };
}

/** The address of a file of the web app. */
export class StaticFileDto {
  /** Path of the file. */
  @PathParameter(text({ unchecked: true })) file!: string;
}
