/** The texts of the first steps of an owner. */

export const steps = {
  organization: { title: 'Your organization', about: 'What people see when they sign in.' },
  you: { title: 'You', about: 'What others see of you.' },
  channels: {
    title: 'Channels',
    about: 'Everyone starts in #general. Add a few more, or change these names.',
  },
  invite: { title: 'Invite people', about: 'By email, or with a link that several people can use.' },
};

export const progress = (step: number, count: number) => `Step ${step} of ${count}`;
export const name = 'Organization name';
export const channel = (number: number) => `Channel ${number}`;
export const suggestions = ['announcements', 'ideas', 'random'];
export const link = 'Create link';
export const linkLabel = 'Invitation link';
export const invited = 'Invitations created';
export const skip = 'Skip';
export const proceed = 'Continue';
export const finish = 'Finish';
