// The script of a third-party page that calls the chat. Calls are queued, so they work before the chat's script has loaded.
function withChat(callback) {
  window.platform = window.platform || [];
  window.platform.push(callback);
}

document.getElementById('ask')?.addEventListener('click', () => withChat((platform) => platform.open()));

document.getElementById('book')?.addEventListener('click', () =>
  withChat((platform) => {
    const stop = platform.on('webchat:ready', () => {
      stop();
      platform.sendMessage('I would like to book a repair.');
    });
    platform.open();
  }),
);

document.getElementById('agree')?.addEventListener('click', (event) => {
  withChat(() => {});
  window.platform.init();
  event.currentTarget.disabled = true;
  event.currentTarget.textContent = 'The chat is on';
});
