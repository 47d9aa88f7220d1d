/** The texts of pages and windows about messages that are not sent yet, which are loaded with them. */

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
