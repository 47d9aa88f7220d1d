/** The texts of `words.ts` in German. */

export const tabs = {
  general: 'Allgemein',
  permissions: 'Rechte',
  subscribers: 'Abonnenten',
  own: 'Persönlich',
};

export const sections = {
  about: 'Name und Beschreibung',
  readers: 'Wer ihn lesen kann',
  messages: 'Themen und Nachrichten',
  writing: 'Schreiben',
  subscribers: 'Abonnenten',
  moderation: 'Moderation',
  administration: 'Verwaltung',
};

export const about: Partial<Record<keyof typeof sections, string>> = {
  moderation: 'Zusätzlich zu allen, denen es die Organisation in allen Kanälen erlaubt.',
};

export const administratorsOnly = 'Nur Administratoren können das ändern.';
export const publicOnly = 'Nur bei öffentlichen Kanälen, die nicht archiviert sind.';
export const notAllowedHere = 'Deine Organisation erlaubt dir nicht, das zu ändern.';

export const settings = {
  new_name: { label: 'Name' },
  description: { label: 'Beschreibung', hint: 'Markdown ist möglich.' },
  is_default_stream: {
    label: 'Neue Mitglieder hinzufügen',
    hint: 'Alle, die beitreten, sind von Anfang an in diesem Kanal.',
  },
  topics_policy: {
    label: 'Nachrichten ohne Thema',
    choices: {
      inherit: 'Wie in der Organisation',
      allow_empty_topic: 'Erlaubt',
      disable_empty_topic: 'Nicht erlaubt',
      empty_topic_only: 'Vorgeschrieben: Der Kanal hat keine Themen',
    },
  },
  message_retention_days: {
    label: 'Nachrichten aufbewahren',
    hint: 'Ältere werden endgültig gelöscht.',
    choices: { unlimited: 'Für immer' },
  },
  can_send_message_group: { label: 'Wer schreiben kann' },
  can_create_topic_group: { label: 'Wer Themen beginnen kann' },
  can_subscribe_group: {
    label: 'Wer selbst beitreten kann',
    hint: 'Diese Personen können den Kanal auch finden und lesen, solange er privat ist. Einem öffentlichen können alle Mitglieder beitreten.',
  },
  can_add_subscribers_group: {
    label: 'Wer andere hinzufügen kann',
    hint: 'Zusätzlich zu allen, denen es die Organisation erlaubt. Auch sie können den Kanal finden und lesen.',
  },
  can_remove_subscribers_group: {
    label: 'Wer andere entfernen kann',
    hint: 'Zusätzlich zu Administratoren.',
  },
  can_resolve_topics_group: { label: 'Wer Themen als erledigt markieren kann' },
  can_move_messages_within_channel_group: { label: 'Wer Nachrichten in ein anderes Thema verschieben kann' },
  can_move_messages_out_of_channel_group: {
    label: 'Wer Nachrichten in einen anderen Kanal verschieben kann',
  },
  can_delete_own_message_group: { label: 'Wer eigene Nachrichten löschen kann' },
  can_delete_any_message_group: { label: 'Wer jede Nachricht löschen kann' },
  can_administer_channel_group: {
    label: 'Wer den Kanal verwalten kann',
    hint: 'Zusätzlich zu Administratoren. Wer ihn verwaltet, kann diese Einstellungen ändern und den Kanal archivieren.',
  },
};

export const privacy = {
  label: 'Sichtbarkeit',
  kinds: {
    public: 'Öffentlich: Mitglieder können ihn finden, lesen und ihm beitreten',
    webPublic: 'Im Web öffentlich: Alle im Internet können ihn lesen',
    shared: 'Privat: Neue Abonnenten sehen alle Nachrichten',
    protected: 'Privat: Neue Abonnenten sehen nur neue Nachrichten',
  },
  notOffered: 'Im Web öffentliche Kanäle sind in der Organisation ausgeschaltet.',
  unavailable: {
    unread: 'Der Kanal ist privat: Nur Mitglieder des Kanals können das ändern.',
    isDefault: 'Ein privater Kanal kann neue Mitglieder nicht automatisch aufnehmen: Schalte das zuerst aus.',
    mayNotPrivate: 'Du darfst keine privaten Kanäle anlegen.',
    mayNotPublic: 'Du darfst keine öffentlichen Kanäle anlegen.',
    mayNotWebPublic: 'Du darfst keine im Web öffentlichen Kanäle anlegen.',
  },
};

export const folder = {
  label: 'Ordner',
  hint: 'Andere Apps gruppieren Kanäle nach Ordnern.',
  none: 'Keiner',
  add: 'Neuer Ordner …',
  title: 'Neuer Ordner',
  create: 'Ordner anlegen',
};

export const emailAddress = {
  title: 'E-Mail-Adresse',
  about:
    'E-Mails an diese Adresse erscheinen im Kanal; ihr Betreff ist das Thema. Die Adresse gehört dir: Wer sie kennt, kann schreiben, also gib sie mit Bedacht weiter.',
  show: 'Adresse anzeigen',
  sender: 'Schreiben als',
  gateway: 'E-Mail-Gateway',
  you: 'Du selbst',
  options: {
    'show-sender': 'Adresse des Absenders zeigen',
    'include-footer': 'Fußzeilen behalten, etwa Signaturen',
    'include-quotes': 'Zitierte Nachrichten in Antworten behalten',
    'prefer-html': 'HTML statt reinem Text',
  },
};

export const byDefault = (value: string) => `Wie in der Organisation (${value})`;

export const own = {
  about: 'Das siehst nur du.',
  notSubscribed: 'Tritt dem Kanal bei, um das zu ändern.',
  is_muted: 'Stummschalten',
  is_muted_hint: 'Seine Nachrichten zählen nicht als ungelesen.',
  pin_to_top: 'In der Seitenleiste oben anheften',
  choose: 'Farbe wählen',
  notifications: 'Benachrichtigungen',
  notificationsAbout: 'Einmal hier geändert, folgt der Kanal nicht mehr deinen allgemeinen Einstellungen.',
  desktop_notifications: 'Desktop-Benachrichtigungen',
  audible_notifications: 'Töne',
  push_notifications: 'Push-Benachrichtigungen',
  email_notifications: 'E-Mail',
  wildcard_mentions_notify: '@all und @topic als Erwähnungen behandeln',
  asElsewhere: (isOn: boolean) => `Wie in allen Kanälen (${isOn ? 'an' : 'aus'})`,
  on: 'An',
  off: 'Aus',
};
