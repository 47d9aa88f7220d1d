/** The texts about messages that are not sent yet; they load with their pages and dialogs. */

/** When something happens later. */
export const later = {
  when: 'When',
  times: {
    hour: 'In 1 hour',
    hours: 'In 3 hours',
    today: (time: string) => `Today at ${time}`,
    tomorrow: (time: string) => `Tomorrow at ${time}`,
    monday: (time: string) => `Monday at ${time}`,
    custom: 'Another time',
  },
  custom: 'Date and time',
};

export const scheduled = {
  title: 'Schedule message',
  action: 'Schedule',
  done: (time: string) => `Scheduled for ${time}`,
  about: 'Messages waiting to be sent.',
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
  about: 'You get a direct message when a reminder is due.',
  empty: 'No reminders. Set one with “Remind me” in the menu of a message.',
  failed: 'Could not be sent',
  eraseIt: (time: string) => `Delete reminder for ${time}`,
  erased: 'Reminder deleted',
};

export const drafts = {
  about: 'Messages you haven’t finished. Open one to continue.',
  filter: 'Filter drafts',
  empty: 'No drafts. Unsent text is saved here automatically.',
  noneFit: 'No drafts match.',
  nowhere: 'No recipient',
  open: 'Open',
  openIt: (place: string) => `Open draft to ${place}`,
  erase: 'Delete',
  eraseIt: (place: string) => `Delete draft to ${place}`,
  erased: 'Draft deleted',
};
