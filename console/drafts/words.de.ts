/** The texts of `words.ts` in German. */

/** When something happens later. */
export const later = {
  when: 'Wann',
  times: {
    hour: 'In 1 Stunde',
    hours: 'In 3 Stunden',
    today: (time: string) => `Heute um ${time}`,
    tomorrow: (time: string) => `Morgen um ${time}`,
    monday: (time: string) => `Montag um ${time}`,
    custom: 'Andere Zeit',
  },
  custom: 'Datum und Uhrzeit',
};

export const scheduled = {
  title: 'Nachricht planen',
  action: 'Planen',
  done: (time: string) => `Geplant für ${time}`,
  about: 'Nachrichten, die noch gesendet werden.',
  empty: 'Keine geplanten Nachrichten. Plane eine mit der Uhr neben „Senden“.',
  failed: 'Konnte nicht gesendet werden. Wähle eine andere Zeit oder lösche sie.',
  edit: 'Bearbeiten',
  editIt: (place: string) => `Geplante Nachricht an ${place} bearbeiten`,
  text: 'Text',
  sendNow: 'Jetzt senden',
  sendIt: (place: string) => `Jetzt senden: Nachricht an ${place}`,
  isSent: 'Nachricht wird gesendet',
  eraseIt: (place: string) => `Geplante Nachricht an ${place} löschen`,
  erased: 'Geplante Nachricht gelöscht',
};

export const reminders = {
  title: 'Erinnern',
  note: 'Notiz (optional)',
  done: (time: string) => `Erinnerung gesetzt für ${time}`,
  about: 'Wenn eine Erinnerung fällig ist, bekommst du eine Direktnachricht.',
  empty: 'Keine Erinnerungen. Setze eine mit „Erinnern“ im Menü einer Nachricht.',
  failed: 'Konnte nicht gesendet werden',
  eraseIt: (time: string) => `Erinnerung für ${time} löschen`,
  erased: 'Erinnerung gelöscht',
};

export const drafts = {
  about: 'Nachrichten, die du begonnen hast. Öffne eine, um weiterzuschreiben.',
  filter: 'Entwürfe filtern',
  empty: 'Keine Entwürfe. Was du nicht gesendet hast, wird hier automatisch gespeichert.',
  noneFit: 'Kein passender Entwurf.',
  nowhere: 'Kein Empfänger',
  open: 'Öffnen',
  openIt: (place: string) => `Entwurf an ${place} öffnen`,
  erase: 'Löschen',
  eraseIt: (place: string) => `Entwurf an ${place} löschen`,
  erased: 'Entwurf gelöscht',
};
