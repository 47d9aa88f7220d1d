/** The texts of `words.ts` in German. */
export const overview = {
  title: (name: string) => `Daten von ${name}`,
  about:
    'Was der Server über dich speichert, steht Spalte für Spalte in den JSON-Dateien neben dieser Seite. Diese Seiten zeigen dein Profil und die Nachrichten, die du geschrieben oder direkt erhalten hast.',
  profile: 'Profil',
  name: 'Name',
  email: 'E-Mail-Adresse',
  joined: 'Beigetreten',
  subscriptions: 'Abonnements',
  messages: 'Nachrichten',
  missing: 'Was fehlt',
};

export const place = {
  privateChannel: 'privater Kanal',
  unknownChannel: 'unbekannter Kanal',
  yourself: 'Nachrichten an dich selbst',
  generalChat: 'Allgemeiner Chat',
  overview: 'Übersicht',
  next: 'Weiter',
};

export const missing = {
  secrets:
    'Passwörter, Schlüssel und andere Geheimnisse, mit denen jemand in deinem Namen handeln könnte; auch Einstellungen von Bots',
  channels: 'Namen, Einstellungen und Themen von Kanälen, die du nicht mehr siehst',
  others: 'was andere in Kanälen geschrieben haben, auch wo eine deiner Erinnerungen es zitiert',
  holds: 'ob etwas aus rechtlichen Gründen aufbewahrt wird',
  server:
    'was Module dieses Servers speichern, das Protokoll des Servers, seine Sicherungen und was er noch zu erledigen hat',
};

export const leftOut = {
  'channel_email_address.sender_id': 'Adressen, über die andere in deinem Namen E-Mails an Kanäle schicken',
  'event_queue.user_id': 'Verbindungen von Programmen, die auf Neues warten',
  'mention_set_member.user_id':
    'die Listen, mit denen der Server Nachrichten anderer findet, die dich erwähnen',
  'muted_user.muted_user_id': 'wer dich stummgeschaltet hat',
  'sent_echo.user_id': 'die Nummern, unter denen ein Programm eine Woche lang das Senden wiederholen kann',
};
