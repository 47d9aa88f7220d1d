/** What a person has said about a topic. */
export const TopicVisibility = { none: 0, muted: 1, unmuted: 2, followed: 3 } as const;

export type TopicVisibility = (typeof TopicVisibility)[keyof typeof TopicVisibility];
