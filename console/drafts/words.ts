/** The texts of pages and windows about messages that are not sent yet, which are loaded with them. */

/** When something happens later. */
export const later = {
  when: 'When',
  times: {
    hour: 'In 1 hour',
    hours: 'In 3 hours',
    today: 'Today at 17:00',
    tomorrow: 'Tomorrow at 9:00',
    monday: 'Monday at 9:00',
    custom: 'Another time',
  },
  custom: 'Date and time',
};

export const scheduled = {
  title: 'Schedule message',
  action: 'Schedule',
  done: (time: string) => `Scheduled for ${time}`,
  about: 'Messages that the server sends at their time.',
  empty: 'No scheduled messages. Schedule one with the clock beside the Send button.',
  failed: 'Could not be sent. Choose another time, or delete it.',
  edit: 'Edit',
  editIt: (place: string) => `Edit scheduled message to ${place}`,
  text: 'Text',
  sendNow: 'Send now',
  sendIt: (place: string) => `Send now: message to ${place}`,
  isSent: 'Sending the message',
  eraseIt: (place: string) => `Delete scheduled message to ${place}`,
  erased: 'Scheduled message deleted',
};

export const reminders = {
  title: 'Remind me',
  note: 'Note (optional)',
  done: (time: string) => `Reminder set for ${time}`,
  about: 'Messages of which you are reminded by a direct message.',
  empty: 'No reminders. Set one with “Remind me” in the menu of a message.',
  failed: 'Could not be sent',
  eraseIt: (time: string) => `Delete reminder of ${time}`,
  erased: 'Reminder deleted',
};

export const drafts = {
  about: 'What you’ve begun to write. Open one to go on with it.',
  filter: 'Filter drafts',
  empty: 'No drafts. What you write is saved here until you send it.',
  noneFit: 'No drafts match.',
  nowhere: 'No recipient',
  open: 'Open',
  openIt: (place: string) => `Open draft to ${place}`,
  erase: 'Delete',
  eraseIt: (place: string) => `Delete draft to ${place}`,
  erased: 'Draft deleted',
};
