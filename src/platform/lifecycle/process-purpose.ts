/**
 * What this process is for. One that is there for a single command leaves alone what a server does by itself, such as
 * calling webhooks and deleting old messages: somebody may only want to look at a copy.
 */
export class ProcessPurpose {
  constructor(readonly isServer: boolean) {}
}
