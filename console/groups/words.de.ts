/** The texts of `words.ts` in German. */

export const settings = {
  name: { label: 'Name' },
  description: { label: 'Beschreibung' },
  can_manage_group: {
    label: 'Wer die Gruppe verwalten kann',
    hint: 'Zusätzlich zu allen, die alle Gruppen verwalten können.',
  },
  can_mention_group: {
    label: 'Wer die Gruppe erwähnen kann',
    hint: 'Eine Erwähnung benachrichtigt alle Mitglieder.',
  },
  can_add_members_group: {
    label: 'Wer Mitglieder hinzufügen kann',
    hint: 'Zusätzlich zu allen, die die Gruppe verwalten können.',
  },
  can_remove_members_group: {
    label: 'Wer Mitglieder entfernen kann',
    hint: 'Zusätzlich zu allen, die die Gruppe verwalten können.',
  },
  can_join_group: {
    label: 'Wer beitreten kann',
    hint: 'Zusätzlich zu allen, die Mitglieder hinzufügen können.',
  },
  can_leave_group: {
    label: 'Wer austreten kann',
    hint: 'Zusätzlich zu allen, die die Gruppe verwalten können.',
  },
};
