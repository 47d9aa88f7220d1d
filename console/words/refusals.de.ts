export const notAllowed = 'Dafür fehlt dir die Berechtigung.';
export const ownersOnly = 'Das können nur Eigentümer.';
export const invalid = 'Eine Angabe ist ungültig. Bitte prüfe sie, und versuche es noch einmal.';
export const tooLong = (count: string) => `Zu lang. Erlaubt sind höchstens ${count} Zeichen.`;
export const taken = (name: string) => `„${name}“ gibt es schon. Wähle einen anderen Namen.`;
export const noSuch = (name: string) => `„${name}“ gibt es nicht.`;
export const hasTopics = (general: string) =>
  `Einige Nachrichten des Kanals haben ein Thema. Verschiebe sie zuerst nach „${general}“.`;
export const emailNotAllowed = (email: string) => `Deine Organisation erlaubt die Adresse ${email} nicht.`;
export const fileTooLarge = (count: string) => `Datei zu groß. Erlaubt sind höchstens ${count} MB.`;
export const groupNotAllowed = 'Dieses Recht kann diese Gruppe nicht bekommen.';

export const sentences = {
  'Insufficient permission': 'Dafür fehlt dir die Berechtigung.',
  'Must be an organization administrator': 'Das können nur Administratoren.',
  'Not allowed for guest users': 'Gäste können das nicht.',
  'Channel content access is required.':
    'Du kannst die Nachrichten dieses Kanals nicht lesen. Lass dich von einem Mitglied hinzufügen.',
  'A default channel cannot be private.':
    'Neue Mitglieder kommen in diesen Kanal. Schalte zuerst „Neue Mitglieder hinzufügen“ aus.',
  'Private channels cannot be made default.': 'Neue Mitglieder können nicht in einen privaten Kanal kommen.',
  'Archived channels cannot be made default.':
    'Neue Mitglieder können nicht in einen archivierten Kanal kommen.',
  'Web-public channels are not enabled.': 'Im Web öffentliche Kanäle sind in der Organisation ausgeschaltet.',
  'Channel name is already in use.': 'Einen Kanal mit diesem Namen gibt es schon. Wähle einen anderen Namen.',
  'Channel already has that name.': 'Der Kanal heißt schon so.',
  'Channel is private and have no subscribers':
    'Dieser private Kanal hat keine Mitglieder und lässt sich deshalb nicht aus dem Archiv holen.',
  'Channel is already deactivated': 'Der Kanal ist schon archiviert.',
  'Channel is not currently deactivated': 'Der Kanal ist nicht archiviert.',
  'Invalid channel ID': 'Den Kanal gibt es nicht, oder du hast keinen Zugang.',
  'Invalid channel folder ID': 'Den Ordner gibt es nicht mehr.',
  'Invalid message(s)': 'Die Nachricht gibt es nicht mehr, oder du hast keinen Zugang.',
  'Invalid user group': 'Die Gruppe gibt es nicht mehr.',
  'User group is deactivated.': 'Die Gruppe ist deaktiviert.',
  'User is deactivated': 'Das Konto dieser Person ist deaktiviert.',
  'No such user': 'Diese Person gibt es nicht, oder du hast keinen Zugang.',
  'No such bot': 'Den Bot gibt es nicht mehr.',
  'Email is already in use.': 'Diese Adresse benutzt schon jemand.',
  'Unique names required in this organization.': 'So heißt schon jemand. Wähle einen anderen Namen.',
  'Name is already in use.': 'Diesen Namen gibt es schon. Wähle einen anderen.',
  'Enter a valid email address.': 'Gib eine gültige E-Mail-Adresse ein.',
  'Missing topic': 'Gib ein Thema ein.',
  'Wrong password!': 'Falsches Passwort.',
  'New password is too weak!':
    'Passwort zu schwach. Nimm mindestens 12 Zeichen und keine gebräuchlichen Wörter.',
  'The time limit for deleting this message has passed': 'Zum Löschen dieser Nachricht ist es zu spät.',
  'Your organization has turned off message editing':
    'Das Bearbeiten von Nachrichten ist in der Organisation ausgeschaltet.',
  'You do not have permission to post in this channel.': 'In diesem Kanal darfst du nicht schreiben.',
  'You do not have permission to create topics in this channel.':
    'In diesem Kanal darfst du keine Themen beginnen.',
  'You do not have permission to administer this channel.': 'Diesen Kanal darfst du nicht verwalten.',
  "You don't have permission to edit this message": 'Diese Nachricht darfst du nicht bearbeiten.',
  "You don't have permission to delete this message": 'Diese Nachricht darfst du nicht löschen.',
  "You don't have permission to move this message": 'Diese Nachricht darfst du nicht verschieben.',
  'Direct messages are disabled in this organization.':
    'Direktnachrichten sind in der Organisation ausgeschaltet.',
  'You do not have permission to initiate direct message conversations.':
    'Du darfst keine Direktnachrichten beginnen.',
  'Cannot deactivate user group in use.':
    'Ein Recht oder eine andere Gruppe verwendet diese Gruppe noch. Entferne sie dort zuerst.',
  'The owner permission cannot be removed from the only organization owner.':
    'Die Organisation braucht einen Eigentümer. Mach zuerst jemand anderen dazu.',
  'Cannot deactivate the only organization owner':
    'Die Organisation braucht einen Eigentümer. Mach zuerst jemand anderen dazu.',
  'You need to remove all the channels from this folder to archive it.':
    'Der Ordner enthält noch Kanäle. Verschiebe sie zuerst.',
};
