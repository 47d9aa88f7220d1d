/** The texts of `words.ts` in German. */

export const pages = {
  profile: 'Profil',
  joining: 'Beitritt',
  accounts: 'Konten',
  channels: 'Kanäle und Themen',
  messages: 'Nachrichten',
  groups: 'Gruppen, Bots und Emojis',
  notices: 'Ankündigungen und Benachrichtigungen',
  defaults: 'Vorgaben',
  signIn: 'Anmeldung',
};

export const about: Record<keyof typeof pages, string> = {
  profile: 'Wie sich die Organisation zeigt.',
  joining: 'Wer einladen und wer beitreten kann. Eine Einladung brauchen alle.',
  accounts: 'Was Mitglieder an ihrem Konto ändern können und was andere davon sehen.',
  channels: 'Wer Kanäle anlegen und andere hinzufügen kann und wie Themen funktionieren.',
  messages: 'Nachrichten bearbeiten, verschieben, löschen und aufbewahren, und wer wem schreiben kann.',
  groups: 'Wer Gruppen, Bots und Emojis anlegen und verwalten kann.',
  notices: 'Wo der Server meldet, was geschieht, und was Benachrichtigungen zeigen.',
  defaults: 'Womit neue Mitglieder beginnen. Sie können es ändern, und für andere ändert sich nichts.',
  signIn: 'Wie sich Mitglieder anmelden.',
};

export const more: Partial<Record<keyof typeof pages, string>> = {
  profile: 'Symbol, Logo',
  joining: 'Erlaubte E-Mail-Domains, Einladungen',
  defaults: 'Darstellung, Zeitformat, Benachrichtigungen, Privatsphäre neuer Mitglieder',
  signIn: 'Anmeldearten, Passwort, Single Sign-on, zweiter Faktor',
};

export const find = 'Einstellungen filtern';
export const found = (text: string) => `Einstellungen mit „${text}“`;
export const alsoOn = 'Weitere Seiten';
export const readOnly = 'Nur Administratoren können diese Einstellungen ändern.';

export const sections = {
  profile: 'Name und Beschreibung',
  invitations: 'Einladungen',
  addresses: 'E-Mail-Adressen',
  newMembers: 'Neue Mitglieder',
  names: 'Namen, Adressen und Bilder',
  visibility: 'Sichtbarkeit',
  newChannels: 'Kanäle anlegen',
  subscribing: 'Andere hinzufügen',
  topics: 'Themen',
  editing: 'Bearbeiten',
  moving: 'Verschieben',
  deleting: 'Löschen',
  retention: 'Aufbewahrung',
  reaching: 'Direktnachrichten und Erwähnungen',
  content: 'Inhalt',
  groups: 'Gruppen',
  bots: 'Bots',
  emoji: 'Emojis',
  announcements: 'Kanäle für Ankündigungen',
  notifications: 'E-Mail- und Push-Benachrichtigungen',
  reports: 'Meldungen',
  language: 'Sprache',
};

export const settings = {
  name: { label: 'Name' },
  description: { label: 'Beschreibung', hint: 'Wird bei der Anmeldung gezeigt. Markdown ist möglich.' },
  can_invite_users_group: { label: 'Wer per E-Mail einladen kann' },
  create_multiuse_invite_group: {
    label: 'Wer Einladungslinks erstellen kann',
    hint: 'Mit einem solchen Link kann jeder beitreten, der ihn hat.',
  },
  waiting_period_threshold: {
    label: 'Tage, bis neue Mitglieder Vollmitglieder werden',
    hint: 'Rechte lassen sich auf Vollmitglieder beschränken. 0 heißt: sofort.',
  },
  welcome_message_custom_text: {
    label: 'Willkommensnachricht',
    hint: 'Der Willkommensbot schickt sie jedem neuen Mitglied. Markdown ist möglich.',
  },
  disallow_disposable_email_addresses: {
    label: 'Wegwerfadressen ablehnen',
    hint: 'Adressen von Anbietern, die jeder für ein paar Minuten nutzen kann.',
  },
  emails_restricted_to_domains: {
    label: 'Nur E-Mail-Adressen bestimmter Domains erlauben',
    hint: 'Gilt für neue Konten und geänderte Adressen. Füge zuerst unten eine Domain hinzu: Ohne Domain wird jede Adresse abgelehnt.',
  },
  name_changes_disabled: { label: 'Mitglieder können ihren Namen ändern' },
  require_unique_names: { label: 'Namen müssen eindeutig sein' },
  email_changes_disabled: { label: 'Mitglieder können ihre E-Mail-Adresse ändern' },
  avatar_changes_disabled: { label: 'Mitglieder können ihr Bild ändern' },
  default_avatar_source: {
    label: 'Bild neuer Konten',
    hint: 'Bis sie eines hochladen.',
    choices: { G: 'Gravatar', J: 'Muster, das dieser Server zeichnet' },
  },
  can_access_all_users_group: {
    label: 'Wer alle Mitglieder sehen kann',
    hint: 'Andere Gäste sehen nur, mit wem sie einen Kanal oder eine Unterhaltung teilen.',
  },
  presence_disabled: { label: 'Zeigen, wer aktiv ist' },
  enable_read_receipts: {
    label: 'Zeigen, wer eine Nachricht gelesen hat',
    hint: 'Mitglieder können trotzdem verbergen, was sie gelesen haben.',
  },
  can_create_public_channel_group: { label: 'Wer öffentliche Kanäle anlegen kann' },
  can_create_private_channel_group: { label: 'Wer private Kanäle anlegen kann' },
  enable_spectator_access: {
    label: 'Im Web öffentliche Kanäle erlauben',
    hint: 'Alle im Internet können sie ohne Konto lesen.',
  },
  can_create_web_public_channel_group: { label: 'Wer im Web öffentliche Kanäle anlegen kann' },
  can_add_subscribers_group: { label: 'Wer andere zu Kanälen hinzufügen kann' },
  topics_policy: {
    label: 'Nachrichten ohne Thema',
    hint: 'Kanäle können abweichen.',
    choices: { allow_empty_topic: 'Erlaubt', disable_empty_topic: 'Nicht erlaubt' },
  },
  can_set_topics_policy_group: {
    label: 'Wer für einen Kanal entscheiden kann, ob Nachrichten ein Thema brauchen',
    hint: 'Nur für Kanäle, die sie verwalten.',
  },
  empty_topic_display_name: {
    label: 'Name des leeren Themas',
    hint: 'Steht dort, wo eine Nachricht kein Thema hat.',
  },
  can_resolve_topics_group: { label: 'Wer Themen als erledigt markieren kann' },
  allow_message_editing: { label: 'Mitglieder können ihre Nachrichten bearbeiten' },
  message_content_edit_limit_seconds: {
    label: 'Frist zum Bearbeiten',
    choices: { unlimited: 'Unbegrenzt' },
  },
  message_edit_history_visibility_policy: {
    label: 'Der Bearbeitungsverlauf zeigt',
    choices: { all: 'Bearbeiten und Verschieben', moves: 'Nur Verschieben', none: 'Nichts' },
  },
  can_move_messages_between_topics_group: { label: 'Wer Nachrichten in ein anderes Thema verschieben kann' },
  move_messages_within_stream_limit_seconds: {
    label: 'Frist zum Verschieben in ein anderes Thema',
    hint: 'Gilt nicht für Moderatoren und darüber.',
    choices: { unlimited: 'Unbegrenzt' },
  },
  can_move_messages_between_channels_group: {
    label: 'Wer Nachrichten in einen anderen Kanal verschieben kann',
  },
  move_messages_between_streams_limit_seconds: {
    label: 'Frist zum Verschieben in einen anderen Kanal',
    hint: 'Gilt nicht für Moderatoren und darüber.',
    choices: { unlimited: 'Unbegrenzt' },
  },
  can_delete_own_message_group: { label: 'Wer eigene Nachrichten löschen kann' },
  message_content_delete_limit_seconds: {
    label: 'Frist zum Löschen eigener Nachrichten',
    choices: { unlimited: 'Unbegrenzt' },
  },
  can_delete_any_message_group: { label: 'Wer jede Nachricht löschen kann' },
  can_set_delete_message_policy_group: {
    label: 'Wer in einem Kanal über das Löschen entscheiden kann',
    hint: 'Nur für Kanäle, die sie verwalten.',
  },
  message_retention_days: {
    label: 'Nachrichten aufbewahren',
    hint: 'Ältere werden endgültig gelöscht. Kanäle können abweichen.',
    choices: { unlimited: 'Für immer' },
  },
  direct_message_initiator_group: { label: 'Wer Direktnachrichten beginnen kann' },
  direct_message_permission_group: {
    label: 'Wer Direktnachrichten ermöglicht',
    hint: 'Mindestens eine dieser Personen muss beteiligt sein. Bei „Niemand“ sind nur Unterhaltungen mit Bots möglich.',
  },
  can_mention_many_users_group: {
    label: 'Wer alle erwähnen kann',
    hint: 'Mit @all oder @topic, wenn das mehr als 15 Personen benachrichtigen würde.',
  },
  inline_image_preview: {
    label: 'Bilder und Videos in Nachrichten zeigen',
    hint: 'Sonst sind hochgeladene Dateien Links. Gilt für neue Nachrichten.',
  },
  default_code_block_language: {
    label: 'Sprache von Codeblöcken',
    hint: 'Zum Beispiel python, für Blöcke ohne Angabe. Leer heißt: einfacher Text.',
  },
  can_create_groups: { label: 'Wer Gruppen anlegen kann' },
  can_manage_all_groups: { label: 'Wer alle Gruppen verwalten kann' },
  can_create_bots_group: { label: 'Wer Bots jeder Art anlegen kann' },
  can_create_write_only_bots_group: {
    label: 'Wer eingehende Webhooks anlegen kann',
    hint: 'Bots, die nur Nachrichten senden.',
  },
  can_add_custom_emoji_group: { label: 'Wer eigene Emojis hinzufügen kann' },
  new_stream_announcements_stream_id: { label: 'Neue Kanäle' },
  signup_announcements_stream_id: { label: 'Neue Mitglieder' },
  zulip_update_announcements_stream_id: { label: 'Neue Versionen des Servers' },
  send_channel_events_messages: {
    label: 'Änderungen an einem Kanal im Kanal selbst melden',
    hint: 'Etwa an Name, Beschreibung, Sichtbarkeit, Aufbewahrung und wer schreiben kann.',
  },
  message_content_allowed_in_email_notifications: {
    label: 'Text der Nachrichten zeigen',
    hint: 'Sonst sagen sie nur, dass es Nachrichten gibt.',
  },
  moderation_request_channel_id: {
    label: 'Gemeldete Nachrichten',
    hint: 'Ein privater Kanal für Moderatoren. Ohne ihn lassen sich keine Nachrichten melden.',
  },
  default_language: {
    label: 'Standardsprache',
    hint: 'Für E-Mails und Anmeldeseiten und für alle, die keine Sprache gewählt haben.',
  },
};

export const pictures = {
  title: 'Bilder',
  about: 'PNG, JPEG, GIF oder WebP, bis 5 MB. Das Symbol ist quadratisch, Logos sind breit.',
  icon: 'Symbol',
  logo: 'Logo',
  night_logo: 'Logo für dunkle Seiten',
  upload: (what: string) => `${what} hochladen`,
  remove: (what: string) => `${what} entfernen`,
};

export const domains = {
  title: 'Erlaubte Domains',
  none: 'Noch keine Domains',
  domain: 'Domain',
  add: 'Domain hinzufügen',
  subdomains: 'Auch Subdomains',
  subdomainsOf: (domain: string) => `Auch Subdomains von ${domain}`,
  remove: 'Entfernen',
};

export const welcome = { test: 'Testnachricht an mich', sent: 'Testnachricht gesendet' };
export const invitations = 'Offene Einladungen';

export const methods = {
  title: 'Anmeldearten',
  about: 'Mindestens eine bleibt an. Wer angemeldet ist, bleibt es.',
  names: {
    Email: 'E-Mail-Adresse und Passwort',
    LDAP: 'Passwort des Firmenverzeichnisses (LDAP)',
    'OpenID Connect': 'Single Sign-on (OpenID Connect)',
    SAML: 'Single Sign-on (SAML)',
    Dev: 'Ohne Passwort, für die Entwicklung',
  } as Record<string, string>,
};
