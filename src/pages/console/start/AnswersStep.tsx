// The choice of the bot’s answers, with a test.
import { AnswersForm } from '../bots/AnswersForm.tsx';
import type { StepProps } from './step.ts';

export const AnswersStep = ({ bot, onSaved }: StepProps) => <AnswersForm botId={bot.id} onSaved={onSaved} />;
