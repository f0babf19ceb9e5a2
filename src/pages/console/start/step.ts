// The interface of the first steps.

export interface StartBot {
  id: string;
  name: string;
  /** The last part of the address of its chat. */
  webhookId: string;
}

export interface StepProps {
  bot: StartBot;
  /** Something of the step was saved. */
  onSaved(): void;
}
