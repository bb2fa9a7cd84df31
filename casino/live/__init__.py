"""What is pushed to which screen: audiences, their fragments, and the one hub that feeds the sockets."""
