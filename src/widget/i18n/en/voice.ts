// The English strings of the voice bundle.

export const voice = {
  listening: 'Listening…',
  noSpeech: 'Nothing was heard. Please try again.',
  noMicrophone: 'The microphone cannot be used. Please check the settings of your browser.',
  noDictation: 'Dictation is not available at the moment.',
  recording: 'Recording…',
  recordingEnded: 'The recording has ended. Send it or discard it.',
  voiceMessage: 'Voice message',
};
