// A form before the conversation with every kind of field.
export const preChatForm = {
  text: 'Tell us who you are.\nThen we begin.',
  name: 'required',
  email: 'required',
  topics: ['Prices', { label: 'My order', value: 'order' }],
  fields: [{ name: 'number', label: 'Order number' }],
  consent: 'I agree that my data is stored.',
};
